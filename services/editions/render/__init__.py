"""One file a format; `services.editions.formats` chooses."""
