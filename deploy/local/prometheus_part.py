"""One Prometheus server from the system's package, with a configuration of its own.

Without a configuration file it scrapes what `targets/*.json` in its folder name, within a second:
[{"targets": ["127.0.0.1:8080"], "labels": {"job": "api"}}]
"""

import json
import shutil
import urllib.error
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from deploy.local.part import MissingPart, ServerPart

CONFIG = """\
global:
  scrape_interval: 1s
  scrape_timeout: 1s
scrape_configs:
  - job_name: shipledger
    file_sd_configs:
      - files: ["targets/*.json"]
        refresh_interval: 1s
"""


class PrometheusPart(ServerPart):
    """A server on loopback; `config` may be a file to use instead of the one above."""

    name: ClassVar[str] = "prometheus"

    def __init__(
        self,
        folder: Path,
        *,
        port: int | None = None,
        owned: bool = False,
        config: Path | None = None,
    ) -> None:
        """See `ServerPart.__init__`."""
        super().__init__(folder, port=port, owned=owned)
        self._given = config

    @staticmethod
    def missing() -> str:
        """Return what this machine lacks, empty if nothing."""
        if shutil.which("prometheus") is None:
            return "Prometheus is not installed (run deploy/local/install.sh)"
        return ""

    @property
    def url(self) -> str:
        """Return the address of its HTTP API."""
        return f"http://{self.address}"

    @property
    def environment(self) -> dict[str, str]:
        """See `Part.environment`."""
        return {"SHIPLEDGER_TEST_PROMETHEUS": self.url}

    def prepare(self) -> None:
        """Write the configuration."""
        if missing := self.missing():
            raise MissingPart(missing)
        (self.folder / "targets").mkdir(exist_ok=True)
        self._config.write_text(self._given.read_text() if self._given else CONFIG)

    def command(self) -> Sequence[str]:
        """Return the command line of the server."""
        return [
            "prometheus",
            f"--config.file={self._config}",
            f"--storage.tsdb.path={self.folder / 'data'}",
            f"--web.listen-address={self.address}",
            "--log.level=warn",
        ]

    def ready(self) -> bool:
        """Tell whether it answers queries."""
        try:
            with urllib.request.urlopen(f"{self.url}/-/ready", timeout=1) as answer:  # noqa: S310
                return bool(answer.status == 200)
        except (OSError, urllib.error.URLError):
            return False

    def scrape(self, job: str, *addresses: str) -> None:
        """Scrape these `host:port` under this job from now on."""
        target = [{"targets": list(addresses), "labels": {"job": job}}]
        (self.folder / "targets" / f"{job}.json").write_text(json.dumps(target))

    @property
    def _config(self) -> Path:
        return self.folder / "prometheus.yml"
