"""Names, messages and dates that git allows and nobody expects; tags of every kind."""

from events.instant import INF, SECOND
from tests.services.intake.git.sandbox import START_OF_TIME, Imports, Sandbox


def a_commit(
    message: bytes, *, date: str = "1782864000 +0000", paths: tuple[bytes, ...] = ()
) -> bytes:
    """Return fast-import text of one commit on main; paths are quoted as fast-import wants."""
    lines = [b"commit refs/heads/main", f"committer A <a@example.invalid> {date}".encode()]
    lines += [b"data %d" % len(message), message]
    lines += [b"M 100644 inline " + path + b"\ndata 1\nx" for path in paths]
    return b"\n".join(lines) + b"\n"


def test_weird_file_names_come_through_as_they_are(repo: Sandbox, imports: Imports) -> None:
    paths = (b'"new\\nline"', b'"tab\\there"', b'"\\"quoted\\""', b"-x", b":colon", b'" space "')
    repo.git("fast-import", "--quiet", stdin=a_commit(b"Names", paths=paths))
    imports.run(repo.path)
    assert imports.by_subject()["Names"].paths == (
        " space ", '"quoted"', "-x", ":colon", "new\nline", "tab\there",
    )  # fmt: skip


def test_text_that_is_not_utf8_is_readable_and_always_the_same(
    repo: Sandbox, imports: Imports
) -> None:
    script = a_commit(b"Caf\xe9 \xed\xa0\x80 (#3)", paths=(b'"caf\\351"',))
    repo.git("fast-import", "--quiet", stdin=script)
    imports.run(repo.path)
    (commit,) = imports.commits().values()
    assert commit.subject == "Caf\ufffd \ufffd\ufffd\ufffd (#3)"
    assert commit.paths == ("caf\ufffd",)
    assert list(imports.landed()) == [3]


def test_only_the_first_line_is_the_subject(repo: Sandbox, imports: Imports) -> None:
    repo.git("fast-import", "--quiet", stdin=a_commit(b"\n\nTitle\r\nsee (#41)\r\n\r\nBody\n\n"))
    imports.run(repo.path)
    commit = imports.by_subject()["Title"]
    assert commit.message == "see (#41)\r\n\r\nBody"
    assert imports.landed() == {}


def test_a_first_line_of_blanks_and_a_byte_order_mark_lose_no_number(
    repo: Sandbox, imports: Imports
) -> None:
    messages = (b"   \n\t\nBlank (#6)\n\nBody", b"\xef\xbb\xbfMarked (#7)\n")
    repo.git("fast-import", "--quiet", stdin=b"".join(map(a_commit, messages)))
    imports.run(repo.path)
    assert imports.by_subject().keys() == {"Blank (#6)", "Marked (#7)"}
    assert list(imports.landed()) == [6, 7]


def test_an_empty_message_is_no_fault(repo: Sandbox, imports: Imports) -> None:
    repo.git("fast-import", "--quiet", stdin=a_commit(b"") + a_commit(b"After", paths=(b"a",)))
    imports.run(repo.path)
    assert imports.by_subject()[""].paths == ()
    assert imports.by_subject()["After"].paths == ("a",)


def test_absurd_dates_are_kept_within_what_can_be_written(repo: Sandbox, imports: Imports) -> None:
    tree = repo.git("mktree")
    parent = ""
    for date in ("-86400 +0000", "99999999999999999 +0000", "0 +0000", "soon"):
        raw = f"tree {tree}\n{parent}author A <a@b> 7 +0000\ncommitter A <a@b> {date}\n\n{date}\n"
        sha = repo.git(
            "hash-object", "-t", "commit", "-w", "--literally", "--stdin", stdin=raw.encode()
        )
        parent = f"parent {sha}\n"
    repo.git("update-ref", "refs/heads/main", sha)
    imports.run(repo.path)
    dates = {c.subject: c.committed_at for c in imports.commits().values()}
    last = INF // SECOND * SECOND
    assert list(dates.values()) == [0, last, 0, 0]
    assert last < INF


def test_a_ref_never_has_its_value_later_than_it_was_read(repo: Sandbox, imports: Imports) -> None:
    repo.git("fast-import", "--quiet", stdin=a_commit(b"Future", date="9999999999 +0000"))
    imports.run(repo.path)
    (main,) = imports.refs()["refs/heads/main"]
    assert main.at == imports.now


def test_annotated_lightweight_and_nested_tags_are_told_apart(
    repo: Sandbox, imports: Imports
) -> None:
    sha = repo.commit("Begin", a="1")
    repo.unix_time += 3600
    repo.git("tag", "light")
    repo.git("tag", "-a", "heavy", "-m", "heavy")
    repo.git("tag", "-a", "nested", "-m", "nested", "heavy")
    repo.git("tag", "-a", "tree", "-m", "tree", "HEAD^{tree}")
    result = imports.run(repo.path)
    refs = {name: seen[0] for name, seen in imports.refs().items()}
    light, heavy, nested = (refs[f"refs/tags/{n}"] for n in ("light", "heavy", "nested"))
    assert {light.sha, heavy.sha, nested.sha} == {sha}
    assert (light.tag_object, light.evidence) == (None, "assumed")
    assert (heavy.tag_object, heavy.evidence) == (repo.sha("refs/tags/heavy"), "tagger")
    assert light.at == (START_OF_TIME + 60) * SECOND
    assert heavy.at == nested.at == (START_OF_TIME + 3660) * SECOND
    assert nested.tag_object == repo.sha("refs/tags/nested")
    assert result.incomplete == ("refs/tags/tree leads to no commit",)


def test_a_tag_made_after_the_reading_before_is_dated_by_its_tagger(
    repo: Sandbox, imports: Imports
) -> None:
    repo.commit("Begin", a="1")
    imports.run(repo.path)
    repo.git("tag", "-a", "backdated", "-m", "x")
    repo.unix_time = imports.now // SECOND + 3600
    repo.git("tag", "-a", "fresh", "-m", "x")
    imports.run(repo.path)
    (backdated,), (fresh,) = (imports.refs()[f"refs/tags/{n}"] for n in ("backdated", "fresh"))
    assert (backdated.evidence, backdated.at) == ("fetched", imports.now)
    assert (fresh.evidence, fresh.at) == ("tagger", repo.unix_time * SECOND)


def test_a_branch_and_a_tag_of_one_name_are_two_refs(repo: Sandbox, imports: Imports) -> None:
    one = repo.commit("One", a="1")
    repo.git("tag", "core_r0.8.0")
    repo.git("switch", "-qc", "core_r0.8.0")
    two = repo.commit("Two (#2)", a="2")
    imports.run(repo.path, default_branch="main")
    assert imports.refs()["refs/tags/core_r0.8.0"][0].sha == one
    assert imports.refs()["refs/heads/core_r0.8.0"][0].sha == two
    assert imports.landed() == {2: [("core_r0.8.0", "trailing number")]}
