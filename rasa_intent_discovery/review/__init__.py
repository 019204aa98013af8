"""What a person does with the drafts: in a browser (web/), in a terminal, on a page to read."""
