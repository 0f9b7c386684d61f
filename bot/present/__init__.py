"""From what was decided to what is shown: every figure formatted once, here."""
