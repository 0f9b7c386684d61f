"""GPUs side by side, where no load and no size is told."""
