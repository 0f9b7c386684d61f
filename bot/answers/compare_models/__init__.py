"""Answers to "this model or that one": each is sized for the same load."""
