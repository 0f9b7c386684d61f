"""Buying against renting the same GPUs."""
