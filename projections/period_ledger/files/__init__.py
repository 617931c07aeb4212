"""The files that requests change: of their landings, their heads, or a list of the API."""
