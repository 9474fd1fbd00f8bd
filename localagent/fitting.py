"""Which of the agent's tools a model is told of, where the window is too small for the descriptions of all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from localagent.models.base import ModelInfo
from localagent.offering import Offer, offer
from localagent.record import ToolsBy
from localagent.tool import ToolSpec

# Of what a prompt may have beside the system text, the tools' descriptions take this part at most: a turn needs the
# rest for the request, the wishes and memories (two fifths at most) and the results of the tools themselves.
SHARE = 0.5


@dataclass(frozen=True, slots=True)
class Fitted:
    """`tools` are offered; those `left_out` are not, and `note` says why and what can be done."""

    tools: tuple[ToolSpec, ...] = ()
    left_out: tuple[str, ...] = ()
    note: str = ""


class Fitting:
    """`cost`: tokens of an offer in a prompt. Decided once for a window, so that prompts begin alike: also where the
    model's counter learns to count better."""

    def __init__(self, cost: Callable[[Offer], int]) -> None:
        self._cost = cost
        self._found: tuple[ToolsBy, tuple[ToolSpec, ...], int, Fitted] | None = None

    def fit(self, by: ToolsBy, specs: Sequence[ToolSpec], room: Callable[[], int], info: ModelInfo) -> Fitted:
        """The tools whose descriptions fit, each in its turn. `room`: tokens of a prompt beside the system text; asked
        for when it is to be decided."""
        wanted = tuple(specs)
        found = self._found
        if found is None or found[:3] != (by, wanted, info.window):
            found = self._found = by, wanted, info.window, self._chosen(by, wanted, int(room() * SHARE), info.window)
        return found[3]

    def _chosen(self, by: ToolsBy, wanted: tuple[ToolSpec, ...], limit: int, window: int) -> Fitted:
        if self._tokens(by, wanted) <= limit:
            return Fitted(wanted)
        kept: tuple[ToolSpec, ...] = ()
        for spec in wanted:
            if self._tokens(by, (*kept, spec)) <= limit:
                kept = (*kept, spec)
        names = tuple(spec.name for spec in wanted if spec not in kept)
        which = f"the tools {', '.join(names)} are" if len(names) > 1 else f"the tool {names[0]} is"
        return Fitted(
            kept,
            names,
            f"{which} not offered: with their descriptions too little of the window ({window} tokens) would be left to "
            "talk. Raise model.num_ctx, or name fewer under tools:",
        )

    def _tokens(self, by: ToolsBy, specs: Sequence[ToolSpec]) -> int:
        return self._cost(offer(by, specs, last=False)) if specs and by != "none" else 0
