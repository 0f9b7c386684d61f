"""What a sum of money serves."""
