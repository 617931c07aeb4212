"""The commit graph, which commits carry which request, and the verdict. Pure."""
