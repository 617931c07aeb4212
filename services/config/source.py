"""Where the settings come from, and one digest of all that answers may rest on in them.

It reads and understands nothing: a command that is answered by a running process, which has read
the same settings, needs no more than this. Only the standard library is imported.
"""

import os
from collections.abc import Mapping
from hashlib import sha256
from typing import Final

DATA: Final = "SHIPLEDGER_DATA"
CONFIG: Final = "SHIPLEDGER_CONFIG"
KAFKA: Final = "SHIPLEDGER_KAFKA"
KAFKA_OPTIONS: Final = "SHIPLEDGER_KAFKA_OPTIONS"
DATABASE: Final = "SHIPLEDGER_DATABASE"

CONFIG_NAME: Final = "shipledger.toml"
DEFAULT_DATA: Final = "shipledger-data"

#: The client of PostgreSQL fills in from these what its address does not say.
_OF_POSTGRES: Final = "PG"


def config_path(environment: Mapping[str, str]) -> str | None:
    """Return where `shipledger.toml` is; None where none is named and none lies here."""
    if named := environment.get(CONFIG):
        return named
    return CONFIG_NAME if os.path.isfile(CONFIG_NAME) else None


def data_folder(
    option: str | None, environment: Mapping[str, str], config: str | None, decided: str | None
) -> str:
    """Return the data folder: `--data`, the environment, the configuration (`decided`), or here."""
    if option is not None:
        return option
    if environment.get(DATA):
        return environment[DATA]
    if decided is not None and config is not None:
        return os.path.join(os.path.dirname(config), decided)
    return DEFAULT_DATA


def source_digest(environment: Mapping[str, str], config: bytes | None) -> str:
    """Return the SHA-256 of the configuration file, and of the variables that say where log and
    read model are. Equal digests mean equal answers; a remark that was changed makes another one.
    """
    digest = sha256(b"none" if config is None else b"file " + sha256(config).digest())
    postgres = DATABASE in environment
    for name in sorted(environment):
        ours = name in (KAFKA, KAFKA_OPTIONS, DATABASE)
        if ours or (postgres and name.startswith(_OF_POSTGRES)):
            line = f"{name}\0{environment[name]}\0"
            digest.update(line.encode("utf-8", "surrogateescape"))
    return digest.hexdigest()
