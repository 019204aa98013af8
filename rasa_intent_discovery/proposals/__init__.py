"""Groups of messages become named proposals with evidence for and against them."""
