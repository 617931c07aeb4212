"""Read models: pure rules, SQL tables and queries. They write from facts alone."""
