"""Every kind of answer in a folder of its own: what it decides and how it is shown."""
