"""What every test may ask for."""

pytest_plugins = [
    "tests.engines",
    "tests.real_history",
    "tests.real_parts",
    "tests.services_fixtures",
    "tests.parts_summary",
]
