"""One file per feed: payload in, price points out."""
