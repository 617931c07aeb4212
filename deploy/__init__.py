"""How Shipledger is run: images, configuration of other servers, run-books. Not in the wheel."""
