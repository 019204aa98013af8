"""The end of a review: which drafts are in the bot by now, and how the others are put there and validated."""
