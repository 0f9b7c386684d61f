"""How much given GPUs serve."""
