"""Which kinds of events exist, and why some of them state nothing.

The published list: https://docs.github.com/webhooks/webhook-events-and-payloads
"""

from collections.abc import Mapping
from typing import Final

UNKNOWN_PREFIX: Final = "unknown event "

_CI: Final = "results of automation are not part of any answer"
_DEPLOYMENT: Final = "a deployment is not a release"
_PEOPLE: Final = "who may do what is not part of any answer"
_SECURITY: Final = "alerts are not part of any answer"
_TALK: Final = "talk outside issues and pull requests is not part of any answer"
_ACCOUNT: Final = "accounts and installations are not part of any answer"
_BOARD: Final = "boards are not read; roadmaps are issues"

#: Frequent, large and used by nothing: by default they are counted and not stored.
UNUSED: Final[Mapping[str, str]] = {
    "check_run": _CI,
    "check_suite": _CI,
    "deployment": _DEPLOYMENT,
    "deployment_protection_rule": _DEPLOYMENT,
    "deployment_review": _DEPLOYMENT,
    "deployment_status": _DEPLOYMENT,
    "status": _CI,
    "workflow_dispatch": _CI,
    "workflow_job": _CI,
    "workflow_run": _CI,
}

#: Known and without facts: stored, translated to nothing, with the reason.
IGNORED: Final[Mapping[str, str]] = {
    **UNUSED,
    "branch_protection_configuration": _PEOPLE,
    "branch_protection_rule": _PEOPLE,
    "bypass_request_push_ruleset": _PEOPLE,
    "code_scanning_alert": _SECURITY,
    "commit_comment": _TALK,
    "custom_property": _ACCOUNT,
    "custom_property_values": _ACCOUNT,
    "dependabot_alert": _SECURITY,
    "deploy_key": _PEOPLE,
    "discussion": _TALK,
    "discussion_comment": _TALK,
    "github_app_authorization": _ACCOUNT,
    "gollum": _TALK,
    "installation": _ACCOUNT,
    "installation_repositories": _ACCOUNT,
    "installation_target": _ACCOUNT,
    "marketplace_purchase": _ACCOUNT,
    "member": _PEOPLE,
    "membership": _PEOPLE,
    "meta": "the hook itself changed, not the repository",
    "org_block": _PEOPLE,
    "organization": _PEOPLE,
    "package": "packages are built from releases; the release itself is read",
    "page_build": _CI,
    "personal_access_token_request": _ACCOUNT,
    "project": _BOARD,
    "project_card": _BOARD,
    "project_column": _BOARD,
    "projects_v2": _BOARD,
    "projects_v2_item": _BOARD,
    "projects_v2_status_update": _BOARD,
    "registry_package": "packages are built from releases; the release itself is read",
    "repository_advisory": _SECURITY,
    "repository_dispatch": _CI,
    "repository_import": "the imported requests come by API or git",
    "repository_ruleset": _PEOPLE,
    "repository_vulnerability_alert": _SECURITY,
    "secret_scanning_alert": _SECURITY,
    "secret_scanning_alert_location": _SECURITY,
    "secret_scanning_scan": _SECURITY,
    "security_advisory": _SECURITY,
    "security_and_analysis": _SECURITY,
    "star": _PEOPLE,
    "team": _PEOPLE,
    "team_add": _PEOPLE,
    "watch": _PEOPLE,
}

#: Actions that are understood, of the events that give facts. Others are accepted and counted.
KNOWN_ACTIONS: Final[Mapping[str, frozenset[str]]] = {
    "pull_request": frozenset(
        [
            "assigned",
            "auto_merge_disabled",
            "auto_merge_enabled",
            "closed",
            "converted_to_draft",
            "demilestoned",
            "dequeued",
            "edited",
            "enqueued",
            "labeled",
            "locked",
            "milestoned",
            "opened",
            "ready_for_review",
            "reopened",
            "review_request_removed",
            "review_requested",
            "synchronize",
            "unassigned",
            "unlabeled",
            "unlocked",
        ]
    ),
    "pull_request_review": frozenset({"dismissed", "edited", "submitted"}),
    "pull_request_review_comment": frozenset({"created", "deleted", "edited"}),
    "pull_request_review_thread": frozenset({"resolved", "unresolved"}),
    "issues": frozenset(
        [
            "assigned",
            "closed",
            "deleted",
            "demilestoned",
            "edited",
            "labeled",
            "locked",
            "milestoned",
            "opened",
            "pinned",
            "reopened",
            "transferred",
            "typed",
            "unassigned",
            "unlabeled",
            "unlocked",
            "unpinned",
            "untyped",
        ]
    ),
    "issue_comment": frozenset({"created", "deleted", "edited", "pinned", "unpinned"}),
    "release": frozenset(
        ["created", "deleted", "edited", "prereleased", "published", "released", "unpublished"]
    ),
    "repository": frozenset(
        [
            "archived",
            "created",
            "deleted",
            "edited",
            "privatized",
            "publicized",
            "renamed",
            "transferred",
            "unarchived",
        ]
    ),
}
