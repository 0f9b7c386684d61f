"""Facts as data, each with its source and date, read once into frozen values."""
