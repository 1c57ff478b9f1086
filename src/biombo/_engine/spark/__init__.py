"""Plans carried out on Apache Spark."""
