"""What is asked: periods, the two clocks, and what is configured; one builder for all who ask."""
