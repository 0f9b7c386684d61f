"""Whether a reservation pays."""
