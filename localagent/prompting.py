"""Making prompts: what goes into one, within the window that is really served, and as it is sent."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from localagent.assembler import Assembled, Assembler, AssemblyInput, Budget
from localagent.config import AgentConfig
from localagent.errors import ContextOverflow
from localagent.messages import JsonObject, new_id, user
from localagent.models.base import ChatModel, ChatRequest, ModelInfo
from localagent.offering import NOTHING, Offer
from localagent.record import PromptRecord, digest, shown_fates
from localagent.shortening import shorter


@dataclass(frozen=True, slots=True)
class Step:
    """Which call of a turn it is. `number` from 1; 0: a question beside it. `hold`: its text is not shown before
    somebody has looked at it. `left_out`: tools for whose descriptions there was no room, and in words why."""

    turn_id: str
    number: int = 1
    offer: Offer = NOTHING
    hold: bool = False
    left_out: tuple[str, ...] = ()
    tools_note: str = ""


class Prompts:
    """Of one agent with one model."""

    def __init__(self, config: AgentConfig, model: ChatModel) -> None:
        self._config = config
        self._model = model
        self._assembler = Assembler(model)
        self._tool_tokens: tuple[Offer, int] = (NOTHING, 0)

    def budget(self, offer: Offer) -> Budget:
        """What a prompt may have now beside what the offer costs, for the window that the model says it serves."""
        budget = self._budget(offer, self._model.describe().window, 1.0)
        return replace(budget, tool_tokens=self.cost(offer))

    def cost(self, offer: Offer) -> int:
        """Tokens that an offer adds to a prompt."""
        return self._tokens_of_tools(offer) + (self._model.count_text(offer.words) if offer.words else 0)

    def room(self, form_words: str = "") -> int:
        """Tokens of a prompt beside the system text, where no tools are offered. `form_words`: what is told of the
        form of an answer."""
        budget = self._budget(NOTHING, self._model.describe().window, 1.0)
        return budget.prompt - self._model.count_text(self._config.instructions + form_words)

    def assemble(
        self, given: AssemblyInput, offer: Offer, *, window: int | None = None, ratio: float = 1.0
    ) -> Assembled:
        """The prompt for `given`. `window`: what is served, where that is less than the model said. `ratio` > 1: the
        server counts that many times our tokens.

        Where the model's own tokenizer counts, a prompt that is nearly full is counted once more as a whole, since
        the sum of its parts is not quite that. Where the results of the turn's own tools do not fit, they are
        shortened. Raises ContextOverflow.
        """
        info = self._model.describe()
        budget = self._budget(offer, info.window if window is None else min(info.window, window), ratio)
        told = replace(given, instructions=given.instructions + offer.words, in_words=offer.in_words)
        for shortened in shorter(told):
            try:
                return self._counted(shortened, offer, budget, info)
            except ContextOverflow as error:
                overflow = error
        raise overflow

    def _counted(self, given: AssemblyInput, offer: Offer, budget: Budget, info: ModelInfo) -> Assembled:
        assembled = self._assembler.assemble(given, budget)
        if info.exact and assembled.tokens > 0.9 * budget.prompt:
            counted = self._model.count_prompt(assembled.messages, offer.tools)
            excess = counted - budget.prompt - budget.tool_tokens
            if excess > 0:
                assembled = self._assembler.assemble(given, replace(budget, window=budget.window - excess))
        return assembled

    def _budget(self, offer: Offer, window: int, ratio: float) -> Budget:
        info = self._model.describe()
        return Budget(
            window=window,
            reserve=min(self._config.model.max_output_tokens, window // 2),
            tool_tokens=self._tokens_of_tools(offer),
            tokens_per_message=info.tokens_per_message,
            error=max(info.count_error, ratio - 1),
        )

    def _tokens_of_tools(self, offer: Offer) -> int:
        """What the tools cost in a prompt. Counted once, for as long as they are the same."""
        if not offer.tools:
            return 0
        if self._tool_tokens[0] != offer:
            probe = (user("x"),)
            tokens = self._model.count_prompt(probe, offer.tools) - self._model.count_prompt(probe)
            self._tool_tokens = offer, max(0, tokens)
        return self._tool_tokens[1]

    def smaller(
        self, given: AssemblyInput, refused: Assembled, offer: Offer, error: ContextOverflow
    ) -> Assembled | None:
        """Our estimate was too low, and the server said by how much: a prompt that much smaller. None if it did not
        say, or nothing is left that could go."""
        if not error.needed or not error.available:
            return None
        # Counted now: from the refusal the model may have learned to count better.
        ratio = 1.01 * error.needed / max(1, self._model.count_prompt(refused.messages, offer.tools))
        try:
            smaller = self.assemble(given, offer, window=error.available, ratio=ratio)
        except ContextOverflow:
            return None
        return smaller if smaller.messages != refused.messages else None

    def encode(self, assembled: Assembled, offer: Offer) -> JsonObject:
        model = self._config.model
        return self._model.encode(
            ChatRequest(
                messages=assembled.messages,
                tools=offer.tools,
                schema=offer.schema,
                max_output_tokens=assembled.budget.reserve,
                temperature=model.temperature,
                seed=model.seed,
            )
        )


def record_of(
    given: AssemblyInput, assembled: Assembled, body: JsonObject, info: ModelInfo, step: Step
) -> PromptRecord:
    budget = assembled.budget
    return PromptRecord(
        id=new_id(),
        thread_id=given.request[-1].thread_id,
        created_at=time.time(),
        provider=info.provider,
        model=info.name,
        window=info.window,
        reserve=budget.reserve,
        tool_tokens=budget.tool_tokens,
        budget=budget.prompt,
        tokens=assembled.tokens,
        exact=info.exact,
        blocks=assembled.blocks,
        older=given.first_index,
        dropped=assembled.dropped,
        digest=digest(body),
        request=body,
        recall=shown_fates(given.traces, assembled.dropped_memories),
        recall_note=given.recall_note,
        summary_version=given.summary_version,
        summary_dropped=assembled.summary_dropped,
        turn_id=step.turn_id,
        step=step.number,
        tools_by=step.offer.by,
        tools_left_out=step.left_out,
        tools_note=step.tools_note,
    )
