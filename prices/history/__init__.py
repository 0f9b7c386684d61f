"""Every price ever read, append only."""
