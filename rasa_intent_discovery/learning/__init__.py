"""The encoder and its two trained stages, and the recogniser: the only room with torch."""
