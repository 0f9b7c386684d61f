"""Names and believable ranges of GPUs in price lists."""
