"""Change groups: the requests that land one change on several branches, told once."""
