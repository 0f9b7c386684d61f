"""What GPUs cost now, and what they did cost."""
