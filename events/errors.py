"""Every error that Shipledger raises on purpose.

    ShipledgerError
    ├── InvalidEvent         poison: this record can never be used as it is; set it aside, go on
    ├── TransientError       a passing fault: try the same again, in order
    │   └── LogUnavailable   the log did not take or give records
    ├── InvalidQuestion      the asker must change the question (HTTP 400, exit code 2)
    │   └── NotFound         what is asked for was never recorded (HTTP 404)
    ├── ConfigurationError   a setting is missing or wrong; the process does not start
    ├── BrokenLog            the log contradicts itself or the checkpoint; stop and call a person
    └── BrokenReadModel      the read model is damaged; delete it, it is made again from the log

Anything else that escapes is a fault of the program and ends the process.
"""


class ShipledgerError(Exception):
    """Shipledger could not do what was asked."""


class InvalidEvent(ShipledgerError):
    """A record cannot be translated, or its facts cannot be folded.

    `path` names the place in the body (`pull_request.base.ref`), empty where there is none.
    """

    def __init__(self, reason: str, *, path: str = "") -> None:
        super().__init__(f"{path}: {reason}" if path else reason)
        self.reason = reason
        self.path = path


class TransientError(ShipledgerError):
    """A passing fault of something outside; the same call may work later."""


class LogUnavailable(TransientError):
    """The log did not take or give records; nothing was half-written."""


class InvalidQuestion(ShipledgerError):
    """The question cannot be answered as asked; the message says how to ask it."""


class NotFound(InvalidQuestion):
    """Nothing of that name was ever recorded."""


class ConfigurationError(ShipledgerError):
    """A setting is missing or wrong; the message names it."""


class BrokenLog(ShipledgerError):
    """Positions or stored bytes are not what they were; a person has to look."""


class BrokenReadModel(ShipledgerError):
    """The read model is damaged or none of ours; the message says what to delete."""
