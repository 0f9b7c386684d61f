"""Money: exact decimals in, exact decimals out; rounding only where it is shown."""
