"""GGUF files of the Hugging Face hub: `hf:owner/repo/file.gguf`. Fetched on request, resumed where it broke off.

A file that is here is used without asking the hub. The user's own settings hold: HF_TOKEN, HF_ENDPOINT, proxies.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from localagent.abort import AbortSignal
from localagent.errors import (
    ConfigError,
    EnvironmentFault,
    LocalAgentError,
    ModelMissing,
    ModelUnreachable,
    StorageError,
)
from localagent.files import private_folder, storage_error
from localagent.models.download import Child, Progress

PREFIX: Final = "hf:"
_NAME = r"[A-Za-z0-9][\w.-]*"
_FILE = r"\w[\w.+-]*"
_REFERENCE = re.compile(rf"hf:({_NAME}/{_NAME})/((?:{_FILE}/)*{_FILE}\.gguf)")
_SHARD = re.compile(r"-(\d{5})-of-(\d{5})\.gguf$")
_FAULTS: Final[Mapping[str, tuple[type[LocalAgentError], str, str]]] = {
    "repository": (
        ModelMissing,
        "the hub has no such repository, or it is private",
        "Check the name; for a private one set HF_TOKEN",
    ),
    "file": (ModelMissing, "the repository has no such file", "Check the name of the file"),
    "gated": (
        ModelMissing,
        "the hub gives this model only to those who accepted its terms",
        "Accept them on the model's page and set HF_TOKEN",
    ),
    "network": (
        ModelUnreachable,
        "the hub could not be reached",
        "Check the network and HF_ENDPOINT; what arrived is kept for the next try",
    ),
    "offline": (ModelUnreachable, "the hub is switched off", "Unset HF_HUB_OFFLINE"),
    "disk": (StorageError, "the model could not be stored", "Free some space; what arrived is kept"),
}
_FOLDER: Final = "hf"  # in the folder of models
# What a download leaves beside its target; see `hub_download`, and `_Fetch` for the log.
_LEFTOVER = re.compile(r"(.+\.gguf)(?:\..+\.partial|\.log)")
_ROOT: Final = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class HubFile:
    """A model in one file, or in several of which `file` is the first (`-00001-of-00003.gguf`)."""

    repository: str
    file: str

    @classmethod
    def parse(cls, name: str) -> HubFile:
        """Raises `ConfigError` when the name is not `hf:owner/repo/file.gguf`."""
        found = _REFERENCE.fullmatch(name)
        if found is None or ".." in name:
            raise ConfigError(
                f"{name!r} does not name a file of the hub", hint="Write it as hf:owner/repo/file.gguf (one file)"
            )
        return cls(found[1], found[2])

    @classmethod
    def of_path(cls, parts: tuple[str, ...]) -> HubFile | None:
        """To which one a file of the folder of models belongs: it is part of it, or a download left it. None when it
        is none of the hub's."""
        if parts[0] != _FOLDER or len(parts) < 4:
            return None
        left = _LEFTOVER.fullmatch(parts[-1])
        file = left[1] if left else parts[-1]
        return cls("/".join(parts[1:3]), "/".join((*parts[3:-1], file))) if file.endswith(".gguf") else None

    @property
    def name(self) -> str:
        return f"{PREFIX}{self.repository}/{self.files[0]}"

    @property
    def files(self) -> tuple[str, ...]:
        shard = _SHARD.search(self.file)
        if shard is None:
            return (self.file,)
        head, count = self.file[: shard.start()], shard[2]
        return tuple(f"{head}-{number:05d}-of-{count}.gguf" for number in range(1, int(count) + 1))

    def path(self, models: Path) -> Path:
        """Where the model lies, or would lie, below the folder of models."""
        return models / _FOLDER / self.repository / self.files[0]

    def present(self, models: Path) -> bool:
        return all((models / _FOLDER / self.repository / file).is_file() for file in self.files)


def fetch_hub(wanted: HubFile, models: Path, *, progress: Progress, abort: AbortSignal) -> Path:
    """Fetch what is missing of `wanted` and return its (first) file. What arrived before an abort or a fault is kept
    and used by the next try.

    Raises `ModelMissing` (no such repository or file), `ModelUnreachable`, `StorageError`, `EnvironmentFault`, or
    the abort signal's error.
    """
    models = models.absolute()  # the child runs in another folder
    for file in wanted.files:
        target = models / _FOLDER / wanted.repository / file
        if not target.is_file():
            private_folder(target.parent)
            _Fetch(wanted.repository, file, target, progress).run(abort)
    return wanted.path(models)


@dataclass(slots=True)
class _Fetch:
    repository: str
    file: str
    target: Path
    progress: Progress
    total: int | None = None

    def run(self, abort: AbortSignal) -> None:
        output = self.target.with_name(f"{self.target.name}.log")
        child = Child(
            (sys.executable, "-m", "localagent.models.hub_download", self.repository, self.file, str(self.target)),
            self.target.parent,
            {
                "PYTHONPATH": os.pathsep.join(filter(None, (str(_ROOT), os.environ.get("PYTHONPATH")))),
                "PYTHONSAFEPATH": "1",  # the folder it runs in is for data
                "HF_HUB_DISABLE_TELEMETRY": "1",
                "HF_HUB_DISABLE_PROGRESS_BARS": "1",
            },
        )
        try:
            code = child.run(output, lambda: self._look(output), abort)
            said = output.read_text(encoding="utf-8", errors="replace")
        except OSError as error:
            raise storage_error(error, self.target, "fetch the model") from error
        finally:
            output.unlink(missing_ok=True)
        if code != 0 or not self.target.is_file():
            raise self._failed(said)

    def _look(self, output: Path) -> None:
        if self.total is None:
            first = output.read_text(encoding="utf-8", errors="replace").partition("\n")
            total = _parsed(first[0]).get("total") if first[1] else None
            self.total = total if isinstance(total, int) else None
        if self.total is None:
            return
        here = (*self.target.parent.glob(f"{self.target.name}.*.partial"), self.target)
        done = max((path.stat().st_size for path in here if path.exists()), default=0)
        self._check_space(self.total - done)
        self.progress(min(done, self.total), self.total)

    def _check_space(self, missing: int) -> None:
        free = shutil.disk_usage(self.target.parent).free
        if missing > free:
            raise StorageError(
                f"not enough space for the model: {missing / 1e6:.0f} MB are missing, {free / 1e6:.0f} MB are free",
                where=str(self.target.parent),
                hint="Free some space, or set LOCALAGENT_HOME to another disk; what arrived is kept",
            )

    def _failed(self, said: str) -> LocalAgentError:
        where = f"{PREFIX}{self.repository}/{self.file}"
        lines = [line for line in said.splitlines() if line.strip()]
        answer = _parsed(lines[-1]) if lines else {}
        words = str(answer.get("message") or (lines[-1][:300] if lines else "no message"))
        kind, what, hint = _FAULTS.get(
            str(answer.get("error")), (EnvironmentFault, "the model could not be fetched", "Try again")
        )
        told = kind is not ModelMissing  # a missing thing needs no more words of the hub
        return kind(f"{what}: {words}" if told else what, where=where, hint=hint)


def _parsed(line: str) -> Mapping[str, object]:
    try:
        answer = json.loads(line)
    except ValueError:
        return {}
    return answer if isinstance(answer, dict) else {}
