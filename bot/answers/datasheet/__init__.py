"""What a GPU is, as its vendor publishes it."""
