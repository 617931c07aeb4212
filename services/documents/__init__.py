"""What answers are turned into before they are printed, and one file for each format."""
