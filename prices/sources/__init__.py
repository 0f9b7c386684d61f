"""Where prices are read: one module a feed, all of them listed in `feeds`."""
