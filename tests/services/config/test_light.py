"""Settings are read by every command, so they import nothing that takes time."""

import subprocess
import sys

HEAVY = (
    "asyncio",
    "fastapi",
    "kafka",
    "logging",
    "prometheus_client",
    "services.intake",
    "services.logs",
    "sqlalchemy",
    "structlog",
    "subprocess",
)


def test_importing_the_settings_brings_no_heavy_module_along() -> None:
    code = "import sys, services.config.settings; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(run.stdout.split())
    assert "services.config.repository" in loaded
    assert loaded.isdisjoint(HEAVY), sorted(loaded & set(HEAVY))
