"""SearchQA: judges every answer of a note app in the background."""
