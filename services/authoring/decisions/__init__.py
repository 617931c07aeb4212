"""What persons decide about editions, written to the log as records of their own."""
