"""Where claims and facts differ, what is only worth a look, and which releases hold what."""
