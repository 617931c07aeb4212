"""Where things lie beside the tests."""

from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
#: Real history and published documents, beside the repository; absent elsewhere.
SHARED: Final = ROOT.parent / "shared"
PAYLOADS: Final = ROOT / "tests" / "payloads"
