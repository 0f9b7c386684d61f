"""From a workload to fleets of GPUs, their levers and commitments."""
