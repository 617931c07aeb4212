"""`python -m tests.goldens [NAME …]`: write golden files anew from today's answers."""

import sys
import tempfile
from pathlib import Path

import pytest

from tests.goldens.keeping import UPDATE, folder, write
from tests.goldens.sets import SETS


def main(names: list[str]) -> None:
    """Write the data sets that are named, else all."""
    unknown = [name for name in names if name not in SETS]
    if unknown:
        sys.exit(f"there is no {unknown[0]!r}; {UPDATE} [{'] ['.join(SETS)}]")
    for name in names or SETS:
        with tempfile.TemporaryDirectory() as made:
            try:
                files = SETS[name](Path(made))
            except pytest.skip.Exception as absent:
                print(f"{name}: left as it is: {absent}")
                continue
        changed = write(name, files)
        size = sum(len(text.encode()) for text in files.values())
        print(f"{folder(name).name}: {len(files)} files, {size:,} bytes; {len(changed)} changed")
        for each in changed:
            print(f"  {each}")


if __name__ == "__main__":
    main(sys.argv[1:])
