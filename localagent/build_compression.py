"""The composition root of compression: what summarises the older messages of threads."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from localagent.compression import CompressionParts, Compressor
from localagent.memory.passages import Passages
from localagent.memory.summaries import SqliteSummaries

if TYPE_CHECKING:
    from localagent.build_memory import MemoryHome
    from localagent.config import AgentConfig
    from localagent.memory.ledger import SqliteLedger
    from localagent.models.base import ChatModel
    from localagent.policy import SummarizationPolicy
    from localagent.record import PromptLog


def make_compressor(
    config: AgentConfig,
    ledger: SqliteLedger,
    policy: Callable[[], SummarizationPolicy],
    model: ChatModel,
    *,
    log: PromptLog | None = None,
    memory: MemoryHome | None = None,
    now: Callable[[], float] = time.time,
) -> Compressor | None:
    """For conversations in this ledger; None where the configuration wants none. `memory`: of the same ledger; its
    worker summarises in the background from now on. Without it the rules do it all, after each turn."""
    if config.context_policy.summarizer == "off":
        return None
    passages = memory.passages if memory is not None else Passages(ledger.database, config.memory.tenant)
    summaries = SqliteSummaries(ledger.database, now=now)
    parts = CompressionParts(config, ledger, summaries, policy, log, outdated=passages.outdated, now=now)
    if memory is None:
        return Compressor(parts, model)
    parts = replace(
        parts,
        remember=lambda: memory.remember,
        calling=memory.calling,
        background=memory.in_background,
    )
    memory.compressor = Compressor(parts, model)
    return memory.compressor
