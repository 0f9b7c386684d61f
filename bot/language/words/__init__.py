"""The vocabulary: one TOML file a language, names apart."""
