"""Training and serving of one model over its life."""
