"""Memory, time and throughput from first principles and stated efficiencies."""
