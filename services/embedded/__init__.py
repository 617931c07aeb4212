"""`shipledger up`: everything in one process."""
