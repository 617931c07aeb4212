"""docker-compose.yml and what it mounts, checked as far as a machine without an engine can."""

import os
import re
import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import click
import pytest

from deploy.local.kafka_part import PROPERTIES
from deploy.local.postgres_part import programs
from services.cli.catalog import COMMANDS
from services.cli.commands import cli
from services.config.kafka import MESSAGE_BYTES
from services.config.settings import LOG_FORMAT, LOG_LEVEL, SECRET, load
from services.config.source import CONFIG, DATA, DATABASE, KAFKA, KAFKA_OPTIONS
from tests.deploy.compose import DEPLOY, document, filled_in, ours, services, variables
from tests.places import ROOT

KNOWN = {DATA, CONFIG, SECRET, LOG_FORMAT, LOG_LEVEL, KAFKA, KAFKA_OPTIONS, DATABASE}
SECRETS = ("PASSWORD", "SECRET", DATABASE)


def needs(found: object, what: str) -> None:
    """Skip without a part of the machine, and fail where all are asked for."""
    if not found and os.environ.get("SHIPLEDGER_REQUIRE_PARTS") == "1":
        pytest.fail(f"{what} is not installed")
    if not found:
        pytest.skip(f"{what} is not installed")


def test_every_process_is_there() -> None:
    processes = {"ingest", "worker", "api", "mirror"}
    assert {"kafka", "postgres", "prometheus", "grafana"} | processes <= set(services())
    assert processes <= set(ours())


@pytest.mark.parametrize("name", sorted(ours()))
def test_its_command_exists_and_takes_its_options(name: str) -> None:
    command, *arguments = ours()[name]["command"]
    if command == "--help":
        return
    assert command in COMMANDS
    found = cli.get_command(click.Context(cli), command)
    assert found is not None
    found.make_context(command, [str(each) for each in arguments])


@pytest.mark.parametrize("name", sorted(ours()))
def test_its_environment_is_known_and_complete(name: str, tmp_path: Path) -> None:
    given = {
        variable: "aa11"
        for text in ours()[name]["environment"].values()
        for variable, _ in variables(text)
    }
    environment = {key: filled_in(text, given) for key, text in ours()[name]["environment"].items()}
    assert set(environment) <= KNOWN
    config = tmp_path / "shipledger.toml"
    shutil.copy(ROOT / "shipledger.example.toml", config)
    settings = load({**environment, CONFIG: str(config)})
    assert settings.kafka is not None
    assert settings.kafka.bootstrap == "kafka:9092"
    if name == "ingest":
        assert settings.webhook_secrets == ("aa11",)
    elif name == "mirror":
        assert settings.database is None
    else:
        role = "shipledger_reader" if name == "api" else "shipledger"
        assert settings.database == f"postgresql://{role}:aa11@postgres/shipledger"


def test_no_secret_stands_in_the_file() -> None:
    for name, service in services().items():
        for key, text in service.get("environment", {}).items():
            if any(word in key for word in SECRETS):
                assert ":?" in [kind for _, kind in variables(text)], (name, key)


def test_versions_are_the_ones_that_were_tested() -> None:
    pom = ElementTree.parse(DEPLOY / "local" / "kafka" / "pom.xml")
    kafka = pom.find(".//{*}properties/{*}kafka.version")
    assert kafka is not None
    assert services()["kafka"]["image"] == f"apache/kafka:{kafka.text}"
    image = (DEPLOY / "Dockerfile").read_text("utf-8")
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    python = set(re.findall(r"^FROM python:([0-9.]+)-", image, re.MULTILINE))
    assert python == set(re.findall(r'^python_version = "(.+)"$', project, re.MULTILINE))
    assert f'version = "{ours()["api"]["image"].partition(":")[2]}"' in project


def test_the_major_version_of_postgresql_is_the_one_that_was_tested() -> None:
    folder = programs()
    needs(folder, "PostgreSQL")
    assert folder is not None
    assert services()["postgres"]["image"] == f"postgres:{folder.parent.name}"


def test_the_version_of_prometheus_is_the_one_that_was_tested() -> None:
    program = shutil.which("prometheus")
    needs(program, "Prometheus")
    asked = subprocess.run(["prometheus", "--version"], capture_output=True, text=True, check=True)
    found = re.search(r"version (\d+\.\d+\.\d+)", asked.stdout + asked.stderr)
    assert found is not None
    assert services()["prometheus"]["image"] == f"prom/prometheus:v{found[1]}"


def test_what_is_mounted_exists() -> None:
    named = set(document()["volumes"])
    used = set()
    for service in services().values():
        for mount in service.get("volumes", []):
            source = re.split(r":(?=/)", mount)[0]
            if source.startswith("./"):
                assert (ROOT / source).exists(), source
            elif not source.startswith("${"):
                used.add(source)
    assert used == named


@pytest.mark.parametrize("name", sorted(services()))
def test_a_service_is_watched_and_waits_for_what_it_needs(name: str) -> None:
    service = services()[name]
    assert set(service.get("depends_on", [])) <= set(services())
    if "tools" not in service.get("profiles", []):
        assert service["healthcheck"]["test"]
        assert service["restart"] == "unless-stopped"
    for port in service.get("ports", []):
        assert ":-127.0.0.1:" in port, "reachable from outside unless somebody decides so"
    if name in ours():
        assert service["read_only"]
        assert service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges:true"]


def test_the_image_runs_without_rights_and_from_pinned_packages() -> None:
    text = (DEPLOY / "Dockerfile").read_text("utf-8")
    last = text[text.rindex("FROM ") :]
    assert re.search(r"^USER 10001:10001$", last, re.MULTILINE)
    assert "-c constraints.txt" in text
    allowed = {
        line[1:]
        for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines()
        if line.startswith("!")
    }
    copied = re.findall(r"^COPY (?!--from)(.+) \S+$", text, re.MULTILINE)
    sources = {source for line in copied for source in line.split()}
    assert sources == allowed
    assert all((ROOT / source).exists() for source in sources)


def test_kafka_has_the_settings_with_which_it_was_tested() -> None:
    ours_ = _properties((DEPLOY / "kafka" / "server.properties").read_text("utf-8"))
    local = _properties(
        PROPERTIES.format(
            host="h",
            port=1,
            controller=2,
            data="d",
            message=MESSAGE_BYTES,
            request=2 * MESSAGE_BYTES,
        )
    )
    for key in (
        *_LIMITS,
        "log.retention.ms",
        "log.retention.bytes",
        "auto.create.topics.enable",
        "process.roles",
        "num.network.threads",
        "num.io.threads",
    ):
        assert ours_[key] == local[key], key
    assert all(int(ours_[key]) >= MESSAGE_BYTES for key in _LIMITS)


_LIMITS = (
    "message.max.bytes",
    "replica.fetch.max.bytes",
    "replica.fetch.response.max.bytes",
    "socket.request.max.bytes",
)


def _properties(text: str) -> dict[str, str]:
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return dict(line.split("=", 1) for line in lines)
