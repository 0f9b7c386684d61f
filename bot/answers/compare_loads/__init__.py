"""X or Y under one load: GPUs, formats, sellers, ways to pay."""
