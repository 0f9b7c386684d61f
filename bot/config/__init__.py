"""What the environment configures, and how it is checked."""
