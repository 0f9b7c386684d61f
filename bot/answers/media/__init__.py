"""Images, video, audio and embeddings."""
