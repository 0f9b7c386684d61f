"""Storage and collection of prices."""
