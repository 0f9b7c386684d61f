"""What gpucost knows and computes: values in, values out, no I/O and no clock."""
