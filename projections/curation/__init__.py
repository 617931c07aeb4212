"""What persons decided about editions, how requests were grouped for them, what was published."""
