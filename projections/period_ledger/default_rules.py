"""The rules for repositories that configure none: where projects usually keep CI and tests.

A rule takes a path only where its place or name can hardly mean anything else. `testing/` is often
a library for users, `spec/` a specification, `scripts/` anything: they are left to the
configuration.
"""

from typing import Final

from projections.period_ledger.exclusions import Rule, RuleSet

_CI: Final = (
    Rule(name="GitHub", globs=(".github/",)),
    Rule(name="GitLab CI", globs=(".gitlab/", ".gitlab-ci/", "**/.gitlab-ci*.{yml,yaml}")),
    Rule(
        name="CI folders",
        globs=("ci/", ".ci/", "**/ci/{docker,scripts,jobs,pipelines}/", "{tools,scripts}/ci/"),
    ),
    Rule(name="Jenkins", globs=("**/Jenkinsfile", "**/*.Jenkinsfile", "{.,}jenkins/")),
    Rule(
        name="Azure Pipelines", globs=("{.,}azure-pipelines/", "**/{.,}azure-pipelines*.{yml,yaml}")
    ),
    Rule(
        name="other CI services",
        globs=(
            "{.buildkite,.circleci,.evergreen,.semaphore,.teamcity,.tekton,.travis,.woodpecker}/",
            "{.appveyor,.cirrus,.drone,.travis,.woodpecker,appveyor,bitbucket-pipelines}.{yml,yaml}",
            "{.prow,cloudbuild,buildspec}.{yml,yaml}",
        ),
    ),
    Rule(
        name="services around CI",
        globs=("{.,}codecov.{yml,yaml}", ".mergify.{yml,yaml}", ".coderabbit.{yml,yaml}"),
    ),
)

_TEST: Final = (
    Rule(
        name="test folders",
        globs=("**/{test,tests}/", "**/{unit,functional,integration,e2e}{_,-}{test,tests}/"),
    ),
    Rule(
        name="Python tests", globs=("**/test_*.py", "**/*_test.py", "**/conftest.py", "pytest.ini")
    ),
    Rule(
        name="C++ and CUDA tests",
        globs=(
            "**/*{_test,_tests,_unittest,Test,Tests}.{c,cc,cpp,cxx,cu,cuh,h,hpp}",
            "**/test_*.{c,cc,cpp,cxx,cu,cuh,h,hpp}",
        ),
    ),
    Rule(name="Go tests", globs=("**/*_test.go", "**/testdata/")),
    Rule(name="Rust tests", globs=("**/{tests,*_test,*_tests}.rs",)),
    Rule(
        name="Java tests",
        globs=(
            "**/src/{androidTest,functionalTest,integrationTest,testFixtures}/",
            "**/*{Test,Tests,TestCase}.{java,kt,scala}",
            "**/*[a-z0-9]IT.{java,kt,scala}",
        ),
    ),
    Rule(
        name="JavaScript tests",
        globs=(
            "**/{__tests__,__mocks__,__snapshots__}/",
            "**/*.{test,spec}.{js,jsx,mjs,cjs,ts,tsx,mts,cts}",
            "**/{cypress,jest,playwright,vitest}.config.{js,mjs,cjs,ts,mts}",
        ),
    ),
)

DEFAULT_RULES: Final = RuleSet(ci=_CI, test=_TEST)
