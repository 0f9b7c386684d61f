"""Bounded jobs: training, fine-tuning and batch inference."""
