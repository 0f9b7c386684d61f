"""Bounded jobs: training, fine-tuning, batch inference."""
