"""Words of any language as evidence, and names from them. Needs no language model and no download."""
