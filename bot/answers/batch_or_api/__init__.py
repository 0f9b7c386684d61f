"""A finite pile of work on own GPUs or through an API's batch endpoint."""
