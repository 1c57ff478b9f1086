"""What rows stream from: files, databases and tables in memory."""
