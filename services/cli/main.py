"""`shipledger`: the entry. Who asks is answered by a running process where there is one; else, and
for everything else, the command is carried out here, and only then imported.
"""

import sys
from collections.abc import Sequence

from services.cli.asking import ask, reader_has_gone


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command and end the process with its exit code."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    try:
        code = ask(words)
    except KeyboardInterrupt:
        sys.stderr.write("error: stopped\n")
        code = 130
    except BrokenPipeError:
        code = reader_has_gone()
    if code is None:
        from services.cli.commands import run

        code = run(words)
    sys.exit(code)


if __name__ == "__main__":
    main()
