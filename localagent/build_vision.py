"""The composition root of what an agent sees with."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from localagent.abort import AbortSignal
    from localagent.config import ModelConfig
    from localagent.models.base import ChatModel
    from localagent.tool import DescribeImage


def eyes(config: ModelConfig, model: ChatModel) -> DescribeImage | None:
    """Describes images: the model that `model.vision_model` names, or the agent's own where Ollama says that it sees;
    None where there is neither."""
    info = model.describe()
    own = info.name if info.provider == "ollama" else ""
    name = config.vision_model or (own if "vision" in info.capabilities else "")
    if not name:
        return None
    # The agent's own is asked as it always is, so that the server does not load it anew.
    num_ctx, think = (config.num_ctx, config.think) if name == own else (None, None)

    def describe(image: bytes, question: str, abort: AbortSignal) -> str:
        from localagent.models.ollama import OllamaModel
        from localagent.models.ollama_vision import look

        seeing = OllamaModel(
            base_url=config.base_url, model_name=name, num_ctx=num_ctx, think=think, keep_alive=config.keep_alive
        )
        with closing(seeing):
            return look(seeing, image, question, abort, temperature=config.temperature)

    return describe
