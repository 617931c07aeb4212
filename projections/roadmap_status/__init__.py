"""What a roadmap claims, what the facts say, and where the two differ."""
