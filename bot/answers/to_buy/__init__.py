"""What a sum for hardware buys."""
