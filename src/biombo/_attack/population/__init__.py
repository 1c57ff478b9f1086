"""Risk when the population is unknown, estimated from a sample and its fraction or weights."""
