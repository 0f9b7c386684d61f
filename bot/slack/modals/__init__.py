"""Forms: a question as fields, and fields as a question."""
