"""From a roadmap's tree of text to its items: titles, claims, links and what is said of them."""
