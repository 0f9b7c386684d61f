"""What the power of owned GPUs costs."""
