"""Which pull request is in which release, by what route, and if not, why not."""
