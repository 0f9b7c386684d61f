"""Whether a price that is paid is a good one."""
