"""One Kafka 4 node, broker and controller in one (KRaft), from the jars that Maven fetched."""

import fcntl
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from deploy.local.part import LOOPBACK, MissingPart, PartFailed, ServerPart

HERE = Path(__file__).parent / "kafka"
JARS = Path(__file__).parents[2] / ".cache" / "kafka"
HEAP = "512m"
#: Each network and request thread keeps one direct buffer as large as the largest record that it
#: read or wrote. Java's default (as much as the heap) ends in OutOfMemoryError after a few records
#: of 79 MiB, with eight threads; giving large buffers back at once makes such a record take 10 s.
DIRECT = "1g"

#: For a broker that lives for minutes: compiled quickly rather than well.
BRIEF = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")

#: What a local folder is formatted with; it identifies nothing outside of it.
CLUSTER_ID = "c2hpcGxlZGdlcmxvY2FsAA"

#: Above Shipledger's body limit of 80 MiB, with room for headers and a batch's own fields.
MESSAGE_BYTES = 88 * 1024 * 1024

PROPERTIES = """\
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@{host}:{controller}
listeners=BROKER://{host}:{port},CONTROLLER://{host}:{controller}
advertised.listeners=BROKER://{host}:{port}
listener.security.protocol.map=BROKER:PLAINTEXT,CONTROLLER:PLAINTEXT
controller.listener.names=CONTROLLER
inter.broker.listener.name=BROKER
log.dirs={data}

# Nothing of the log ever expires, and no topic appears by a slip of the pen.
log.retention.ms=-1
log.retention.bytes=-1
auto.create.topics.enable=false

message.max.bytes={message}
replica.fetch.max.bytes={message}
replica.fetch.response.max.bytes={message}
socket.request.max.bytes={request}

num.network.threads=2
num.io.threads=4

# One node: the internal topics have one copy and few partitions; groups form at once.
offsets.topic.replication.factor=1
offsets.topic.num.partitions=4
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
transaction.state.log.num.partitions=4
share.coordinator.state.topic.replication.factor=1
share.coordinator.state.topic.min.isr=1
# A broker that was killed may come back when its former self has lapsed: soon.
broker.session.timeout.ms=2000
broker.heartbeat.interval.ms=500
group.initial.rebalance.delay.ms=100
group.min.session.timeout.ms=1000
log.cleaner.dedupe.buffer.size=8388608
"""


class KafkaPart(ServerPart):
    """A broker on loopback; `properties` are added to (and win over) the file above.

    `java` are further options of its Java.
    """

    name: ClassVar[str] = "kafka"
    stop_signal: ClassVar[signal.Signals] = signal.SIGTERM

    def __init__(
        self,
        folder: Path,
        *,
        port: int | None = None,
        owned: bool = False,
        properties: str = "",
        java: Sequence[str] = (),
    ) -> None:
        """See `ServerPart.__init__`."""
        super().__init__(folder, port=port, owned=owned)
        self._controller = self._settled("controller-port")
        self._properties = properties
        self._options = java

    @staticmethod
    def missing() -> str:
        """Return what this machine lacks, empty if nothing."""
        if shutil.which("java") is None:
            return "java is not installed (Kafka 4 needs 17 or newer)"
        if not any(JARS.glob("kafka_*.jar")):
            return "Kafka's jars are not in .cache/kafka (run deploy/local/install.sh)"
        return ""

    @property
    def environment(self) -> dict[str, str]:
        """See `Part.environment`."""
        return {"SHIPLEDGER_TEST_KAFKA": self.address}

    def prepare(self) -> None:
        """Write the configuration, and format the data folder once."""
        if missing := self.missing():
            raise MissingPart(missing)
        data = self.folder / "data"
        self._config.write_text(
            PROPERTIES.format(
                host=LOOPBACK,
                port=self.port,
                controller=self._controller,
                data=data,
                message=MESSAGE_BYTES,
                request=2 * MESSAGE_BYTES,
            )
            + self._properties
        )
        if not (data / "meta.properties").exists():
            self._format()

    def command(self) -> Sequence[str]:
        """Return the command line of the broker."""
        return [
            *self._java(
                "-Xms128m", f"-Xmx{HEAP}", f"-XX:MaxDirectMemorySize={DIRECT}", *self._options
            ),
            "kafka.Kafka",
            str(self._config),
        ]

    @property
    def _config(self) -> Path:
        return self.folder / "server.properties"

    def _java(self, *options: str) -> list[str]:
        return [
            "java",
            *options,
            f"-Dlog4j2.configurationFile={HERE / 'log4j2.properties'}",
            "-Djava.net.preferIPv4Stack=true",
            "-cp",
            f"{JARS}/*",
        ]

    def _format(self) -> None:
        storage = ["kafka.tools.StorageTool", "format", "-t", CLUSTER_ID, "-c", str(self._config)]
        done = subprocess.run(  # noqa: S603
            [*self._java("-Xmx128m", "-XX:TieredStopAtLevel=1", *self._options), *storage],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise PartFailed(f"Kafka's storage was not formatted: {done.stdout}{done.stderr}")


def quick_start() -> tuple[str, ...]:
    """Return the options by which a broker starts with a third of the work, and then runs slower.

    Its classes come from an archive, which is made once for these jars and this Java: by a broker
    that is started and stopped. Raise MissingPart where there can be no broker.
    """
    if missing := KafkaPart.missing():
        raise MissingPart(missing)
    made_for = int(Path(shutil.which("java") or "java").resolve().stat().st_mtime)
    archive = JARS / f"classes-{made_for}.jsa"
    with (JARS / "classes.lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        if not archive.exists():
            _archive_classes(archive)
    return (*BRIEF, f"-XX:SharedArchiveFile={archive}")


def _archive_classes(archive: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="shipledger-classes-") as folder:
        made = archive.with_suffix(".making")
        made.unlink(missing_ok=True)
        options = (*BRIEF, f"-XX:ArchiveClassesAtExit={made}")
        broker = KafkaPart(Path(folder) / KafkaPart.name, owned=True, java=options)
        broker.start()
        broker.stop()
        made.rename(archive)
