"""What is recorded of changed files beside git history: lists of the API, formats, patch ids."""
