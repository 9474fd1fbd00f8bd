"""The built-in model: its names, and whether it is there. Asked before the first prompt, so nothing heavy is needed."""

from __future__ import annotations

from pathlib import Path
from typing import Final

BUILTIN: Final = "smollm2"
BUILTIN_TITLE: Final = "SmolLM2-135M-Instruct"
FILE_NAME: Final = "SmolLM2-135M-Instruct.Q4_1.gguf"
FILE_SIZE: Final = 98_362_432  # bytes
_BUILTIN_NAMES: Final = frozenset({"", BUILTIN, BUILTIN_TITLE.lower()})


def is_builtin(model_name: str) -> bool:
    """Whether the embedded provider means the built-in model by it; an empty name means that too."""
    return model_name.strip().lower() in _BUILTIN_NAMES


def is_local_name(model_name: str) -> bool:
    """Whether the name says by itself that the model runs in the process: no question for Ollama. An empty name does
    not say."""
    name = model_name.strip().lower()
    return bool(name) and (is_builtin(name) or name.startswith("hf:") or name.endswith(".gguf"))


def builtin_weights(data_dir: Path) -> Path | None:
    """The built-in model's file if it is there, whole."""
    path = data_dir / "models" / FILE_NAME
    try:
        return path if path.stat().st_size == FILE_SIZE else None
    except OSError:
        return None
