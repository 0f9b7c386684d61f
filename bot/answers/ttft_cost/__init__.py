"""What a millisecond of TTFT costs."""
