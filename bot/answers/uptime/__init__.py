"""Which uptime sellers commit to in writing."""
