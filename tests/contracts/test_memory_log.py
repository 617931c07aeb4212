"""The log in memory keeps the contract."""

from pathlib import Path

from events.log.memory import MemoryLog
from events.log.port import Clock, Log
from tests.contracts.log_contract import LogContract


class TestMemoryLog(LogContract):
    def open_log(self, clock: Clock, folder: Path) -> Log:
        return MemoryLog(clock)
