"""What is proven to change the format alone, and above all what is not."""

import pytest

from services.intake.git.format_rules import has_rules, why_not_format

PROVEN = [
    ("a.py", "x = {'a':1,\n 'b' : 2}\n", 'x = {"a": 1, "b": 2}\n'),
    ("a.py", "f(a,b) #why\n", "f(a, b)  # why\n"),
    ("a.py", "x = ('a'\n     'b')\n", "x = 'ab'\n"),
    ("a.py", "x = 0XFF + 1000\n", "x = 0xff+1_000\n"),
    ("a.pyi", "def f( x:int )->int: ...\n", "def f(x: int) -> int: ...\n"),
    ("a.cc", "int a=-1;f( a,\n  b );", "int a = -1;\nf(a, b);"),
    ("a.h", "#include <a.h>\nint  f();", "#include <a.h>\n\nint f();"),
    ("a.cu", "k<<<1,2>>>(a);", "k<<<1, 2>>>( a );"),
    ("a.go", "f(a,\n\tb)\n", "f(a, b)\n"),
    ("a.go", "x:=1\n", "x := 1\n"),
    ("a.js", "foo( a,\n b )\n .bar();", "foo(a, b).bar();"),
    ("a.js", "`a ${x} b`;", "`a ${ x } b`;"),
    ("a.ts", "const a:number=1;", "const a: number = 1;"),
    ("a.rs", "fn f<'a>(x:&'a str)->i32{1}", "fn f<'a>(x: &'a str) -> i32 {\n    1\n}"),
    ("a.java", "class A{int a=1;}", "class A {\n  int a = 1;\n}"),
    ("a.json", '{"a b":[1,-2]}', '{ "a b": [ 1, -2 ] }'),
    ("a.cc", "int a; // one  two\n", "int a;  // one two\r\n"),
]

NOT_PROVEN = [
    ("a.py", "if x:\n  y\n  z\n", "if x:\n  y\nz\n", "syntax trees"),
    ("a.py", "x = 1  # noqa\n", "x = 1\n", "letters"),
    ("a.py", "x = 'a  b'\n", "x = 'a b'\n", "syntax trees"),
    ("a.py", "x = 1  # a b\n", "x = 1  # ab\n", "comments"),
    ("a.cc", "f(); /* a b */", "f(); /* ab */", "tokens differ"),
    ("a.py", "import b\nimport a\n", "import a\nimport b\n", "letters"),
    ("a.py", "print 1\n", "print  1\n", "not Python"),
    ("a.py", "x = " + "(" * 500 + "1" + ")" * 500, "x = 1", "not Python"),
    ("a.py", "x = 1\0", "x =  1", "not Python"),
    ("a.cc", "a + +b;", "a ++b;", "tokens differ"),
    ("a.cc", "a++ + b;", "a + ++b;", "tokens differ"),
    ("a.cc", "int x;", "intx;", "tokens differ"),
    ("a.cc", 's = "a  b";', 's = "a b";', "tokens differ"),
    ("a.cc", '"a" "b";', '"ab";', "tokens differ"),
    ("a.cc", "#define A 1\n2", "#define A 1 2", "tokens differ"),
    ("a.cc", "a(); // b();\n", "a(); //\nb();\n", "tokens differ"),
    ("a.cc", "f(); /* a */", "f(); /* b */", "letters"),
    ("a.cc", "#include <a>\n#include <b>\n", "#include <b>\n#include <a>\n", "letters"),
    ("a.go", "return\nx", "return x", "tokens differ"),
    ("a.go", "//go:embed a\nvar x", "// go:embed a\nvar x", "tokens differ"),
    ("a.js", "return\nx", "return x", "tokens differ"),
    ("a.js", "a\n(b)", "a(b)", "tokens differ"),
    ("a.js", "a\n++b", "a++\nb", "tokens differ"),
    ("a.js", "`a  b`", "`a b`", "tokens differ"),
    ("a.js", "x = <b>a  b</b>", "x = <b>a b</b>", "JSX"),
    ("a.json", '{"a  b": 1}', '{"a b": 1}', "tokens differ"),
]


@pytest.mark.parametrize(("path", "old", "new"), PROVEN)
def test_only_the_format_changes(path: str, old: str, new: str) -> None:
    assert why_not_format(path, old.encode(), new.encode()) is None
    assert why_not_format(path, new.encode(), old.encode()) is None


@pytest.mark.parametrize(("path", "old", "new", "says"), NOT_PROVEN)
def test_more_than_the_format_may_change(path: str, old: str, new: str, says: str) -> None:
    assert says in (why_not_format(path, old.encode(), new.encode()) or "")


def test_what_is_no_text_or_too_long_proves_nothing() -> None:
    assert "UTF-8" in (why_not_format("a.cc", b"\xff", b"\xff ") or "")
    assert "MiB" in (why_not_format("a.py", b"#" * (1 << 21), b"#") or "")


@pytest.mark.parametrize("path", ["Makefile", "a.yml", "a.md", "a.hs", "a", "README", "a.tsx"])
def test_where_spaces_mean_something_nothing_is_proven(path: str) -> None:
    assert not has_rules(path)
