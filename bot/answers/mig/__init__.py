"""One kind of answer."""
