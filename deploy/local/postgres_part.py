"""One PostgreSQL server from the system's package, run by a user without rights.

PostgreSQL refuses to run as root; then the system user `shipledger-parts` is made for it. Trust
authentication, on loopback only: never use it for data that matter.
"""

import contextlib
import os
import pwd
import re
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

import psycopg

from deploy.local.part import LOOPBACK, MissingPart, PartFailed, ServerPart, wait_until

PACKAGES = Path("/usr/lib/postgresql")
SYSTEM_USER = "shipledger-parts"
ROLE = DATABASE = "shipledger"

CONFIG = f"""
listen_addresses = '{LOOPBACK}'
port = {{port}}
unix_socket_directories = ''
max_connections = 100
shared_buffers = 64MB
log_min_messages = warning
# Bodies of events are long; pglz, the default, is what a bulk load then waits for.
default_toast_compression = 'lz4'
"""
#: For data that may be lost with the machine: nothing waits for the disk.
VOLATILE = """
fsync = off
full_page_writes = off
wal_level = minimal
max_wal_senders = 0
autovacuum_naptime = 10min
"""
ACCESS = f"host all all {LOOPBACK}/32 trust\n"


class PostgresPart(ServerPart):
    """A server with one role and one database, both `shipledger`; `settings` are added to ours."""

    name: ClassVar[str] = "postgres"
    #: A fast shutdown: sessions are ended, the data are checkpointed.
    stop_signal: ClassVar[signal.Signals] = signal.SIGINT

    def __init__(
        self, folder: Path, *, port: int | None = None, owned: bool = False, settings: str = ""
    ) -> None:
        """See `ServerPart.__init__`."""
        super().__init__(folder, port=port, owned=owned)
        self._settings = settings
        self._data = folder / "data"
        if os.geteuid() == 0:
            self.user = SYSTEM_USER

    @staticmethod
    def missing() -> str:
        """Return what this machine lacks, empty if nothing."""
        return "" if programs() else "PostgreSQL is not installed (run deploy/local/install.sh)"

    @property
    def url(self) -> str:
        """Return the SQLAlchemy address of the database."""
        return self.url_of(DATABASE)

    def url_of(self, database: str) -> str:
        """Return the SQLAlchemy address of any database of this server."""
        return f"postgresql+psycopg://{ROLE}@{self.address}/{database}"

    @property
    def environment(self) -> dict[str, str]:
        """See `Part.environment`."""
        return {"SHIPLEDGER_TEST_POSTGRES": self.url}

    def prepare(self) -> None:
        """Make the system user, the cluster and its configuration, each once."""
        if missing := self.missing():
            raise MissingPart(missing)
        if (self._data / "PG_VERSION").exists():
            return
        if self.user:
            ensure_user(self.user)
            self._let_in(self.user)
        locale = ("--encoding=UTF8", "--locale=C")
        self._run("initdb", "--username", ROLE, *locale, "--auth=trust", "--no-sync")
        with (self._data / "postgresql.conf").open("a") as config:
            config.write(CONFIG.format(port=self.port) + self._settings)
        (self._data / "pg_hba.conf").write_text(ACCESS)

    def command(self) -> Sequence[str]:
        """Return the command line of the server."""
        return [program("postgres"), "-D", str(self._data)]

    def ready(self) -> bool:
        """Tell whether the database answers."""
        asked = f"host={LOOPBACK} port={self.port} user={ROLE} dbname=postgres connect_timeout=2"
        try:
            psycopg.connect(asked).close()
        except psycopg.OperationalError:
            return False
        return True

    def start(self) -> None:
        """Start, and make the database if this is the first time."""
        super().start()
        made = self.folder / "database"
        if not made.exists():
            where = ["--host", LOOPBACK, "--port", str(self.port), "--username", ROLE]
            self._check("createdb", self._call("createdb", *where, DATABASE))
            made.touch()

    def kill(self) -> None:
        """End it without farewell, and see its sessions go, which would bar the next start."""
        pid = self.pid
        if pid is None:
            return
        text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
        sessions = [int(child) for child in text.split()]
        super().kill()
        wait_until(lambda: not any(Path(f"/proc/{child}").exists() for child in sessions), 10)

    def _let_in(self, user: str) -> None:
        owner = pwd.getpwnam(user)
        self._data.mkdir(exist_ok=True, mode=0o700)
        os.chown(self._data, owner.pw_uid, owner.pw_gid)
        for folder in self._data.parents:
            if not folder.stat().st_mode & 0o001:
                raise MissingPart(f"{folder} is closed to {user}, which runs PostgreSQL")

    def _run(self, name: str, *arguments: str) -> None:
        self._check(name, self._call(name, "-D", str(self._data), *arguments))

    def _call(self, name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(  # noqa: S603
            [program(name), *arguments],
            cwd="/",
            capture_output=True,
            text=True,
            check=False,
            user=self.user,
            group=self.user,
            extra_groups=[] if self.user else None,
        )

    def _check(self, name: str, done: subprocess.CompletedProcess[str]) -> None:
        if done.returncode:
            raise PartFailed(f"{name} failed: {done.stdout}{done.stderr}")


def programs() -> Path | None:
    """Return the folder of the newest installed server, None without one."""
    found = [
        (int(re.sub(r"\D.*", "", folder.parent.name)), folder)
        for folder in PACKAGES.glob("[0-9]*/bin")
        if (folder / "initdb").exists()
    ]
    return max(found)[1] if found else None


def program(name: str) -> str:
    """Return the path of one of PostgreSQL's programs."""
    folder = programs()
    if folder is None:
        raise MissingPart(PostgresPart.missing())
    return str(folder / name)


def ensure_user(name: str) -> None:
    """Make a system user that can't log in, unless there is one of that name."""
    with contextlib.suppress(KeyError):
        pwd.getpwnam(name)
        return
    command = ["useradd", "--system", "--user-group", "--shell", "/usr/sbin/nologin", name]
    subprocess.run(command, check=True, capture_output=True)  # noqa: S603
