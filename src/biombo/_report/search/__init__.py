"""The report on a search: the best plan, what it costs, and what else there would have been."""
