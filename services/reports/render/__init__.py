"""One function a format; `render` chooses."""

from services.reports.render.choose import FORMATS, render

__all__ = ["FORMATS", "render"]
