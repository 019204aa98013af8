"""What a run found, as a person is told it: evidence in words, families, parts, questions and the summary."""
