"""Raw record -> facts, one module or folder a source; `events.translate` is the door to them."""
