"""The log port, its in-memory implementation, and the known-time axis."""
