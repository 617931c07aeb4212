"""What GitHub's REST API answered, as records, and what they state."""

from events.sources.github_api.files import FILES_TYPE, files_record, translate

__all__ = ["FILES_TYPE", "files_record", "translate"]
