"""The default rules on the layouts of many projects."""

import pytest

from projections.period_ledger.default_rules import DEFAULT_RULES
from projections.period_ledger.exclusions import Judge

JUDGE = Judge(DEFAULT_RULES)


@pytest.mark.parametrize(
    "path",
    [
        ".github/workflows/ci.yml",
        ".github/CODEOWNERS",
        ".gitlab-ci.yml",
        ".gitlab/stages/build.yml",
        "services/api/.gitlab-ci.yaml",
        "ci/docker/Dockerfile",
        ".ci/pipeline.groovy",
        "tools/ci/lint.sh",
        "scripts/ci/run",
        "docs/ci/scripts/build.sh",
        "Jenkinsfile",
        "jenkins/L0_Test.groovy",
        "deploy/nightly.Jenkinsfile",
        "azure-pipelines.yml",
        ".azure-pipelines/build.yml",
        ".circleci/config.yml",
        ".buildkite/pipeline.yml",
        ".travis.yml",
        "appveyor.yml",
        "bitbucket-pipelines.yml",
        "codecov.yml",
        ".mergify.yml",
        ".github/tests/test_action.py",
    ],
)
def test_ci(path: str) -> None:
    assert JUDGE.path(path).role == "ci"


@pytest.mark.parametrize(
    "path",
    [
        "tests/unit_tests/test_a.py",
        "test/units.cc",
        "python/pkg/tests/data/golden.json",
        "pkg/conftest.py",
        "pkg/test_io.py",
        "pkg/io_test.py",
        "core/kernel_test.cu",
        "core/kernel_unittest.cc",
        "lib/ParserTest.cpp",
        "pkg/server/handler_test.go",
        "pkg/testdata/in.txt",
        "crates/core/tests/it.rs",
        "src/parser/tests.rs",
        "app/src/test/java/a/B.java",
        "app/src/androidTest/java/a/B.java",
        "src/main/java/a/ParserTest.java",
        "src/main/kotlin/a/ParserIT.kt",
        "web/src/__tests__/a.ts",
        "web/src/button.test.tsx",
        "web/src/button.spec.js",
        "web/jest.config.js",
        "web/src/__snapshots__/a.snap",
        "e2e_tests/login.py",
        "functional-tests/a.sh",
    ],
)
def test_tests(path: str) -> None:
    assert JUDGE.path(path).role == "test"


@pytest.mark.parametrize(
    "path",
    [
        "README.md",
        "src/latest.py",
        "src/contest.py",
        "pkg/attestation.go",
        "torch/testing/_internal/common.py",
        "src/testing.rs",
        "cicd/tool.py",
        "src/ci/engine.py",
        "benchmarks/test.sh.in",
        "spec/protocol.md",
        "src/Latest.java",
        "src/SPLIT.java",
        "docs/jenkins/howto.md",
        "protest/readme",
        "examples/pytest.ini",
    ],
)
def test_what_only_looks_alike_is_neither(path: str) -> None:
    assert JUDGE.path(path).role == "other"


def test_every_rule_has_a_name_of_its_own_and_takes_something() -> None:
    rules = (*DEFAULT_RULES.ci, *DEFAULT_RULES.test)
    assert len({rule.name for rule in rules}) == len(rules)
