"""Which agent folders may run their code here. Loading an agent executes its Python files.

A folder is trusted as it was when the user said so: the record holds a SHA-256 of every file, and one over all of
them. Whoever changes, adds or removes a file has to be trusted anew.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from localagent.agent_files import AgentFiles, absolute, take_snapshot
from localagent.environment import Environment
from localagent.errors import ConfigError
from localagent.files import private_folder, write_atomically
from localagent.home import DataHome
from localagent.yaml_source import shown

MAX_BYTES = 8 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class TrustRecord:
    """`files` maps names in the folder to their SHA-256; `fingerprint` is one over all of it. Epoch seconds."""

    folder: str
    fingerprint: str
    files: Mapping[str, str]
    trusted_at: float


def trust(env: Environment, folder: Path) -> TrustRecord:
    """Let the folder's files run from now on, as they are. Raises ConfigError (no agent there), StorageError."""
    resolved = _resolved(env, folder)
    files = take_snapshot(resolved)
    digests = _digests(files)
    record = TrustRecord(str(resolved), _fingerprint(digests), digests, env.now())
    records, _ = trusted(env)
    _write(env, {**{entry.folder: entry for entry in records}, record.folder: record})
    return record


def untrust(env: Environment, folder: Path) -> bool:
    """Take it back; False if the folder was not trusted."""
    records, _ = trusted(env)
    name = str(_resolved(env, folder))
    kept = {entry.folder: entry for entry in records if entry.folder != name}
    if len(kept) == len(records):
        return False
    _write(env, kept)
    return True


def trusted(env: Environment) -> tuple[list[TrustRecord], str]:
    """All records by folder, and a notice if the file that holds them is damaged: then nothing is trusted."""
    path = DataHome(env.data_dir).trust
    try:
        with path.open("rb") as file:
            source = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        return [], ""
    except OSError as error:
        return [], f"{shown(str(path))} cannot be read ({error.strerror}): no agent folder is trusted"
    try:
        if len(source) > MAX_BYTES:
            raise ValueError(f"larger than {MAX_BYTES} bytes")
        records = _records(json.loads(source.decode("utf-8")))
    except (ValueError, RecursionError):
        return [], f"{shown(str(path))} is damaged: no agent folder is trusted until `localagent trust DIR` renews it"
    return records, ""


def distrust_reason(env: Environment, files: AgentFiles) -> str:
    """Empty if the snapshot is what the user trusted; otherwise why not, to follow "its folder"."""
    records, notice = trusted(env)
    record = next((entry for entry in records if entry.folder == str(_resolved(env, files.folder))), None)
    if record is None:
        return f"is not trusted ({notice})" if notice else "is not trusted"
    digests = _digests(files)
    if record.fingerprint == _fingerprint(digests):
        return ""
    return f"changed since you trusted it ({_difference(record.files, digests)})"


def same_files(one: AgentFiles, other: AgentFiles) -> bool:
    """Whether two agents are the same to the letter."""
    return _digests(one) == _digests(other)


def _difference(before: Mapping[str, str], after: Mapping[str, str]) -> str:
    groups = {
        "changed": [name for name in after if name in before and before[name] != after[name]],
        "added": [name for name in after if name not in before],
        "removed": [name for name in before if name not in after],
    }
    return "; ".join(f"{what}: {_listed(names)}" for what, names in groups.items() if names)


def _listed(names: list[str]) -> str:
    rest = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(shown(name) for name in sorted(names)[:3]) + rest


def _digests(files: AgentFiles) -> dict[str, str]:
    return {name: hashlib.sha256(content).hexdigest() for name, content in (files.snapshot or {}).items()}


def _fingerprint(digests: Mapping[str, str]) -> str:
    lines = (f"{name}\0{digest}\n" for name, digest in sorted(digests.items()))
    return hashlib.sha256("".join(lines).encode("utf-8", "surrogateescape")).hexdigest()


def _resolved(env: Environment, folder: Path) -> Path:
    try:
        return absolute(env, str(folder)).resolve()
    except (OSError, RuntimeError) as error:  # a link that leads to itself
        raise ConfigError(f"not a folder: {error}", where=shown(str(folder))) from error


def _records(data: object) -> list[TrustRecord]:
    """Raises ValueError for anything but what `_write` writes."""
    if not isinstance(data, dict) or data.get("version") != 1 or not isinstance(data.get("folders"), list):
        raise ValueError("not a trust file")
    return [_record(entry) for entry in data["folders"]]


def _record(entry: object) -> TrustRecord:
    if not isinstance(entry, dict) or set(entry) != {"folder", "fingerprint", "files", "trusted_at"}:
        raise ValueError("not a record")
    files, trusted_at = entry["files"], entry["trusted_at"]
    texts = (entry["folder"], entry["fingerprint"])
    if not isinstance(files, dict) or not all(isinstance(text, str) for text in (*texts, *files.values())):
        raise ValueError("not a record of files")
    if not isinstance(trusted_at, int | float):
        raise ValueError("not a time")
    return TrustRecord(*texts, files, trusted_at)


def _write(env: Environment, records: Mapping[str, TrustRecord]) -> None:
    """Two programs that write at the same moment: the later one wins, and the other's folder asks again."""
    path = DataHome(env.data_dir).trust
    private_folder(path.parent)
    folders = [asdict(records[name]) for name in sorted(records)]
    text = json.dumps({"version": 1, "folders": folders}, indent=1)
    write_atomically(path, f"{text}\n".encode("ascii"))
