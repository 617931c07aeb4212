"""One file a format; `services.answers.editions.formats` chooses."""
