"""Contract suites are plain modules; their assertions shall explain themselves like tests'."""

import pytest

pytest.register_assert_rewrite(
    "tests.contracts.log_base", "tests.contracts.log_storing", "tests.contracts.log_contract"
)
