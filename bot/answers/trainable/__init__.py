"""What can be trained on given GPUs in a given time."""
