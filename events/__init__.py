"""What happened: records, facts and the translation between them. No I/O, no clock."""
