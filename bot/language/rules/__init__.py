"""What the words of a question mean: one small rule after another, in order."""
