"""What settings say, and how a wrong one is told."""

from pathlib import Path

import pytest

from events.errors import ConfigurationError
from services.config.settings import Settings, load, read_file
from tests.places import ROOT


def test_the_example_parses_and_names_every_key() -> None:
    decided = read_file(ROOT / "shipledger.example.toml")
    (repository,) = decided.repositories
    assert repository.key == "github.com/1001"
    assert repository.zone == "Asia/Shanghai"
    assert repository.branches.roles().release == ("core_r*", "core_dev_r*")


def test_without_anything_there_are_defaults(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    settings = load({})
    assert settings.data == Path("shipledger-data")
    assert settings.zone("acme/widget") == "UTC"
    assert settings.tracked is None
    assert settings.webhook_secrets == ()


def test_the_option_comes_before_the_environment_and_that_before_the_file(tmp_path: Path) -> None:
    path = tmp_path / "shipledger.toml"
    path.write_text('data = "in-file"')
    config = {"SHIPLEDGER_CONFIG": str(path)}
    both = {**config, "SHIPLEDGER_DATA": "in-environment"}
    assert load(config).data == tmp_path / "in-file"
    assert load(both).data == Path("in-environment")
    assert load(both, data=Path("option")).data == Path("option")


def test_several_secrets_at_once_are_separated_by_spaces_or_commas() -> None:
    settings = load({"SHIPLEDGER_WEBHOOK_SECRET": "new, old\tolder"})
    assert settings.webhook_secrets == ("new", "old", "older")


RELEASES = "[[repositories]]\nname = 'a/b'\n[repositories.releases]\n"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("zome = 'UTC'", "unknown field `zome`"),
        ("zone = 'Mars/Base'", "zone: unknown time zone 'Mars/Base'"),
        ("zone = 3", "$.zone"),
        ("[readiness]\nlag = 3", "unknown field `lag`"),
        ("[[repositories]]\nid = 3", "missing required field `name`"),
        ("[[repositories]]\nname = 'acme'", "repositories[0].name"),
        ("[[repositories]]\nname = 'a/b'\n[[repositories]]\nname = 'A/b'", "configured twice"),
        ("[[repositories]]\nname = 'a/b'\nzone = 'X'", "repositories[0].zone"),
        ("[[repositories]]\nname = 'a/b'\nbranches.trunk = ['x']", "unknown field `trunk`"),
        (f"{RELEASES}schemes = {{ 'v*' = 'semver' }}", "Invalid enum value 'semver'"),
        (f"{RELEASES}schemes = {{ v = 'maven' }}", "schemes: 'v' is none of the families"),
        (f"{RELEASES}families = ['a*']\nschemes = {{ 'b*' = 'maven' }}", "schemes: 'b*' is none"),
        ("zone = ", "is not TOML"),
        ("[language_model]\nmodel = 'm'", "missing required field `url`"),
        ("[language_model]\nurl = 'http://x.test'\nmodel = 'm'", "language_model.url: plain http"),
        ("[language_model]\nurl = 'https://x.test'\nmodel = ''", "language_model.model: name"),
    ],
)
def test_a_wrong_file_names_the_key(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "shipledger.toml"
    path.write_text(text)
    with pytest.raises(ConfigurationError) as raised:
        read_file(path)
    assert words in str(raised.value)
    assert str(path) in str(raised.value)


@pytest.mark.parametrize("name", ["SHIPLEDGER_LOG_FORMAT", "SHIPLEDGER_LOG_LEVEL"])
def test_a_wrong_variable_is_named(name: str) -> None:
    with pytest.raises(ConfigurationError, match=name):
        load({name: "loud"})


def test_a_missing_file_is_named() -> None:
    with pytest.raises(ConfigurationError, match=r"nowhere\.toml"):
        load({"SHIPLEDGER_CONFIG": "nowhere.toml"})


def test_secrets_show_neither_in_a_repr_nor_in_the_recorded_configuration(tmp_path: Path) -> None:
    path = tmp_path / "shipledger.toml"
    path.write_text('data = "here"\n[[repositories]]\nname = "acme/widget"\nsecret_env = "OWN"')
    settings = load(
        {"SHIPLEDGER_CONFIG": str(path), "SHIPLEDGER_WEBHOOK_SECRET": "hush1", "OWN": "hush2"}
    )
    assert settings.repository_secrets == {"acme/widget": ("hush2",)}
    assert "hush" not in repr(settings)
    assert b"hush" not in settings.content
    assert b"here" not in settings.content


def test_the_digest_is_of_what_decides_answers_and_not_of_where_data_lie() -> None:
    one, two = (Settings(data=Path(name)) for name in ("a", "b"))
    assert one.digest == two.digest


def test_a_language_model_is_no_part_of_what_answers_rest_on_and_its_key_shows_nowhere(
    tmp_path: Path,
) -> None:
    path = tmp_path / "shipledger.toml"
    path.write_text("", "utf-8")
    without = load({"SHIPLEDGER_CONFIG": str(path)})
    model = "[language_model]\nurl = 'https://x.test/v1'\nmodel = 'm'\nkey_env = 'MODEL_KEY'\n"
    path.write_text(model, "utf-8")
    settings = load({"SHIPLEDGER_CONFIG": str(path), "MODEL_KEY": "sk-secret"})
    assert settings.language_model_key == "sk-secret"
    assert "sk-secret" not in repr(settings)
    assert settings.content == without.content
