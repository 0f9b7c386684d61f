"""What idle GPUs cost."""
