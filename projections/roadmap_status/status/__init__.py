"""What the facts say of linked numbers, and the status of items that follows."""
