"""From a question to an answer: one pipeline for every surface."""
