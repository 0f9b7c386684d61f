"""What training a published model has cost."""
