"""Arrays in, arrays out: features, k-means, linkage, groups, the number of intents. No torch."""
