"""Which repository has which name and default branch, as known at each moment."""
