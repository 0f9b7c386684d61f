"""How large a model given GPUs tune or train."""
