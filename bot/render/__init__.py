"""Views as Block Kit, terminal text and pages, within the limits of each."""
