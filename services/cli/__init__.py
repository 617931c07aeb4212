"""The command line; one file a command or group of commands."""
