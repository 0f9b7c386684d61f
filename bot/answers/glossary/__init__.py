"""What a term means."""
