"""Whether a run fits the named GPUs, with its memory as a sum."""
