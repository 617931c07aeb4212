"""Where Kafka and PostgreSQL are, and what is said where that is missing or wrong."""

from pathlib import Path

import pytest

from events.errors import ConfigurationError
from services.config.queue import QueueSettings
from services.config.settings import Settings, load
from services.processes.ingest import open_ingest
from services.processes.worker import open_worker

KAFKA = {"SHIPLEDGER_KAFKA": "one:9092,two:9092"}


def test_without_addresses_everything_is_embedded() -> None:
    settings = load({})
    assert (settings.kafka, settings.database) == (None, None)


def test_the_file_says_what_is_decided_and_the_environment_where_it_is(tmp_path: Path) -> None:
    file = tmp_path / "shipledger.toml"
    file.write_text('[kafka]\ntopic = "ours"\npartitions = 3\n[queue]\nrecords = 7\n')
    options = '{"security_protocol": "SASL_SSL", "sasl_plain_password": "hidden"}'
    settings = load(
        {
            **KAFKA,
            "SHIPLEDGER_CONFIG": str(file),
            "SHIPLEDGER_KAFKA_OPTIONS": options,
            "SHIPLEDGER_DATABASE": "postgresql://user:hidden@host/ledger",
        }
    )
    assert settings.kafka is not None
    assert (settings.kafka.topic, settings.kafka.partitions) == ("ours", 3)
    assert settings.kafka.options["security_protocol"] == "SASL_SSL"
    assert settings.decided.queue.limits().records == 7
    assert settings.decided.queue.retention().held_seconds == 7 * 86_400
    assert settings.decided.queue.limits().free_bytes == QueueSettings().free_bytes
    assert "hidden" not in repr(settings)
    assert b"hidden" not in settings.content
    assert settings.content == load({}).content, "where things lie decides no answer"


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"SHIPLEDGER_KAFKA_OPTIONS": "secret=1"}, "SHIPLEDGER_KAFKA_OPTIONS is not a JSON object"),
        ({"SHIPLEDGER_DATABASE": "mysql://user:secret@host/x"}, "SHIPLEDGER_DATABASE: "),
    ],
)
def test_what_is_wrong_is_named_and_no_secret_is_shown(given: dict[str, str], says: str) -> None:
    with pytest.raises(ConfigurationError, match=says) as raised:
        load({**KAFKA, **given})
    assert "secret" not in str(raised.value)


def test_a_process_says_which_variable_it_needs(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path)
    with (
        pytest.raises(ConfigurationError, match="SHIPLEDGER_KAFKA is not set"),
        open_ingest(settings, allow_unsigned=True),
    ):
        pass
    with (
        pytest.raises(ConfigurationError, match="SHIPLEDGER_DATABASE is not set"),
        open_worker(settings, ()),
    ):
        pass
