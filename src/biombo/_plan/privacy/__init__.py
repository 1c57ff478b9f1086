"""Local differential privacy: how noise is drawn, what it costs, and what it does and does not guarantee."""
