"""What single words, marks and dates of a roadmap assert."""
