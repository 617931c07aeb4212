"""The log on SQLite: the embedded default, and the durable queue in front of Kafka."""

from services.logs.sqlite.log import Sequenced, SqliteLog

__all__ = ["Sequenced", "SqliteLog"]
