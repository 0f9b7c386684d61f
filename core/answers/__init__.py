"""Generate, reject, estimate, rank, explain: from a workload to what to rent."""

FORMULA_VERSION = "16"
"""Raised whenever the same question and prices would get another figure."""
