"""Plans carried out on Apache Spark, in this process' own or on a cluster."""
