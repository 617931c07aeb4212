"""One function a format; `render` chooses."""

from services.answers.reports.render.choose import FORMATS, render

__all__ = ["FORMATS", "render"]
