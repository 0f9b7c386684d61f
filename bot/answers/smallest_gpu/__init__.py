"""The smallest GPU that a model runs on."""
