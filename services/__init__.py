"""All I/O and all processes."""
