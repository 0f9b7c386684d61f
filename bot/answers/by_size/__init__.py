"""The question which model, priced by size."""
