"""Serverless GPUs and APIs for loads that leave GPUs idle."""
