"""What every test may ask for."""

# A plugin that another one imports comes first, or pytest cannot rewrite its assertions.
pytest_plugins = [
    "tests.real_parts",
    "tests.engines",
    "tests.laws",
    "tests.parallel",
    "tests.real_history",
    "tests.services_fixtures",
    "tests.parts_summary",
    "tests.time_spent",
]
