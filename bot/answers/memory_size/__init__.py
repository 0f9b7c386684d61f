"""How many gigabytes a KV cache or the weights take."""
