"""Generate, reject, estimate, rank, explain: from a workload to what to rent."""
