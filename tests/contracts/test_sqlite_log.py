"""The log on SQLite keeps the contract, with bodies compressed and as they are."""

from pathlib import Path

from events.log.port import Clock, Log
from services.logs.sqlite import SqliteLog
from tests.contracts.log_contract import LogContract


class TestSqliteLog(LogContract):
    def open_log(self, clock: Clock, folder: Path) -> Log:
        return SqliteLog(folder / "log.db", clock=clock)


class TestUncompressedSqliteLog(LogContract):
    def open_log(self, clock: Clock, folder: Path) -> Log:
        return SqliteLog(folder / "log.db", clock=clock, compress=False)
