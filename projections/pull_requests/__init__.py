"""The timeline of each pull request: its states and bases, on both clocks."""
