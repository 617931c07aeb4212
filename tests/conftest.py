"""What every test may ask for, and which warnings of libraries are none of ours."""

import pytest

pytest_plugins = ["tests.real_parts"]


def pytest_configure(config: pytest.Config) -> None:
    # kafka-python 3.0.12 says so at its import, on Python 3.11 and 3.12.
    config.addinivalue_line(
        "filterwarnings",
        "ignore:(read|open)_text is deprecated:DeprecationWarning",
    )
