"""One bot for many workspaces: installing it, its tokens, and what comes after."""
