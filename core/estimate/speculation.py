"""Speculative decoding: a draft proposes tokens, the model checks them in one step."""

from msgspec import Struct


class Speculation(Struct, frozen=True):
    """How a draft proposes; [technique] of serving.toml has what was measured."""

    draft_tokens: int
    acceptance: float
    """Probability that a proposed token stands."""
    draft_cost: float
    """Time of one drafted token, as a share of a decode step of the model."""

    @property
    def tokens_per_step(self) -> float:
        """Expected tokens per checked step: (1 - a^(n+1)) / (1 - a), arXiv 2211.17192.

        The checked step always yields one token of its own.
        """
        if self.acceptance >= 1:
            return self.draft_tokens + 1.0
        kept = 1 - self.acceptance ** (self.draft_tokens + 1)
        return float(kept / (1 - self.acceptance))
