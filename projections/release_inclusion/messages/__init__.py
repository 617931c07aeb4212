"""What messages of commits say about other commits and about requests. Pure."""
