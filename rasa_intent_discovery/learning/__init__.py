"""The encoder, the two stages that train it, and the recogniser: the only package that imports torch."""
