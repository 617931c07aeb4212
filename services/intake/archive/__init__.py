"""GH Archive: hourly files of GitHub's public timeline, from the local disk."""

from services.intake.archive.importer import ArchiveResult, Tracked, import_archive

__all__ = ["ArchiveResult", "Tracked", "import_archive"]
