"""From bytes to JSON: forms, encodings, depth, and text that a database would refuse."""

import json
from urllib.parse import quote_plus

import pytest

from events.errors import InvalidEvent
from events.record import FORM, JSON
from events.sources.github_webhook.payload import MAX_DEPTH, json_payload


def cleaned(text: str) -> str:
    loaded = json.loads(json_payload(JSON, text.encode()))
    assert isinstance(loaded, str)
    return loaded


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r'"a\u0000b"', "a\ufffdb"),
        (r'"a\\u0000b"', r"a\u0000b"),
        (r'"a\\\u0000b"', "a\\\ufffdb"),
        (r'"\ud83d"', "\ufffd"),
        (r'"\udea2"', "\ufffd"),
        (r'"\ud83d\ud83d\udea2"', "\ufffd\U0001f6a2"),
        (r'"\uD83D\uDEA2"', "\U0001f6a2"),
        (r'"\udea2\ud83d"', "\ufffd\ufffd"),
        (r'"\\ud83d"', r"\ud83d"),
        ('"\U0001f6a2 \\u00e9 \\n"', "\U0001f6a2 é \n"),
    ],
)
def test_nul_and_half_surrogates_are_replaced_and_nothing_else(text: str, expected: str) -> None:
    assert cleaned(text) == expected


def test_a_form_gives_the_same_json_whatever_stands_in_it() -> None:
    text = json.dumps({"title": "C++ & 100% fix; a=b \U0001f6a2"}, ensure_ascii=False)
    form = f"payload={quote_plus(text)}".encode()
    for body in (form, b"other=1&" + form, form + b"&other=1"):
        assert json_payload(f"{FORM}; charset=utf-8", body) == text.encode()


def test_a_large_form_is_unpacked_whole() -> None:
    text = json.dumps({"body": "\u2026é%+& " * 400_000}, ensure_ascii=False)
    assert json_payload(FORM, f"payload={quote_plus(text)}".encode()) == text.encode()


@pytest.mark.parametrize(
    ("content_type", "body", "reason"),
    [
        (FORM, b"data=%7B%7D", "no field `payload`"),
        (FORM, b"", "no field `payload`"),
        (FORM, b"xpayload=%7B%7D", "no field `payload`"),
        (JSON, b'{"a":"\xff"}', "not UTF-8"),
        (FORM, b"payload=%7B%22a%22%3A%22%FF%22%7D", "not UTF-8"),
        (JSON, b"[" * 10_000 + b"]" * 10_000, "nested too deeply"),
        (JSON, b'{"a":' * 10_000, "nested too deeply"),
        ("text/plain", b"{}", "neither JSON nor a form"),
    ],
)
def test_what_is_no_json_is_refused_with_its_reason(
    content_type: str, body: bytes, reason: str
) -> None:
    with pytest.raises(InvalidEvent, match=reason):
        json_payload(content_type, body)


def test_the_greatest_depth_is_ours_and_brackets_in_text_do_not_count() -> None:
    deepest = b"[" * MAX_DEPTH + b"]" * MAX_DEPTH
    assert json_payload(JSON, deepest) == deepest
    with pytest.raises(InvalidEvent):
        json_payload(JSON, b"[" + deepest + b"]")
    text = b'{"body":"' + b'[{\\"' * 5000 + b'"}'
    assert json_payload(JSON, text) == text


@pytest.mark.parametrize("unclosed", [b'"' + b'\\"' * 500_000, b'"\\' * 500_001])
def test_unclosed_strings_full_of_escapes_take_no_long_time(unclosed: bytes) -> None:
    body = b"[" * (MAX_DEPTH + 1) + unclosed
    with pytest.raises(InvalidEvent):
        json_payload(JSON, body)
