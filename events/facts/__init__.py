"""The fact types, one file a subject; `events.catalog` lists them all."""
