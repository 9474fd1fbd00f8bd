"""What the command line asks an Ollama server beside chatting: is it there, what has it, pull, remove."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from localagent.abort import AbortSignal
from localagent.errors import (
    DeadlineExceeded,
    IncompleteAnswer,
    LocalAgentError,
    ModelError,
    ModelMissing,
    ModelUnreachable,
)
from localagent.messages import JsonObject
from localagent.models.ollama_errors import from_error, missing, not_ollama
from localagent.models.ollama_http import OllamaHttp


@dataclass(frozen=True, slots=True)
class InstalledModel:
    """`size` in bytes; `parameter_size` like "14.8B"; either may be unknown (0, empty)."""

    name: str
    size: int
    parameter_size: str
    quantization: str
    capabilities: frozenset[str]


@dataclass(frozen=True, slots=True)
class PullProgress:
    """Bytes over all layers known so far; `total` grows as layers become known and is 0 at first."""

    status: str
    completed: int
    total: int


class OllamaServer:
    """`timeout_s` is for the short questions; a pull takes as long as its abort signal lets it.

    Needs no closing: no connection outlives the question it was made for.
    """

    def __init__(self, base_url: str, *, timeout_s: float = 10.0) -> None:
        self._http = OllamaHttp(base_url, connect_timeout_s=min(timeout_s, 5.0))
        self._timeout_s = timeout_s

    @property
    def url(self) -> str:
        return self._http.url

    def probe(self) -> str:
        """The server's version. Raises `ModelUnreachable` if nothing, or something else, answers."""
        version = self._look("/api/version").get("version")
        if not isinstance(version, str):
            raise not_ollama(self.url)
        return version

    def installed(self) -> list[InstalledModel]:
        """Newest first. Raises `ModelUnreachable` if nothing, or something else, answers."""
        found = []
        listing = self._look("/api/tags")
        if not isinstance(listing.get("models"), list):
            raise not_ollama(self.url)
        for model in _models(listing):
            details = model.get("details")
            details = details if isinstance(details, Mapping) else {}
            capabilities = model.get("capabilities")
            found.append(
                InstalledModel(
                    name=_text(model, "name") or _text(model, "model"),
                    size=_number(model, "size"),
                    parameter_size=_text(details, "parameter_size"),
                    quantization=_text(details, "quantization_level"),
                    capabilities=frozenset(map(str, capabilities if isinstance(capabilities, list) else ())),
                )
            )
        return found

    def has(self, name: str) -> bool:
        """Whether the model is installed; `qwen` means `qwen:latest`, as everywhere in Ollama."""
        return any(same_model(model.name, name) for model in self.installed())

    def pull(self, name: str, abort: AbortSignal) -> Iterator[PullProgress]:
        """Download a model, with its progress; the last one is complete. What was loaded stays for the next try.

        Raises `ModelMissing` for a name that nobody has published, `IncompleteAnswer` when it breaks off.
        """
        totals: dict[str, int] = {}
        done: dict[str, int] = {}
        try:
            for line in self._http.lines("/api/pull", {"model": name, "stream": True}, abort, model=name):
                if "error" in line:
                    raise self._pull_error(line["error"], name)
                status, digest = _text(line, "status"), _text(line, "digest")
                if digest:
                    # A layer follows another one that is complete, even if that never said so.
                    done.update({known: total for known, total in totals.items() if known != digest})
                    totals[digest] = max(_number(line, "total"), totals.get(digest, 0))
                    done[digest] = min(max(_number(line, "completed"), done.get(digest, 0)), totals[digest])
                elif totals:
                    done = dict(totals)
                yield PullProgress(status, sum(done.values()), sum(totals.values()))
                if status == "success":
                    return
        except IncompleteAnswer as error:
            raise self._broken_off(name) from error
        raise self._broken_off(name)

    def remove(self, name: str) -> None:
        """Raises `ModelMissing` if it is not installed."""
        self._ask("DELETE", "/api/delete", {"model": name}, model=name)

    def _look(self, path: str) -> Mapping[str, object]:
        """Ask what every healthy Ollama answers."""
        try:
            return self._ask("GET", path)
        except ModelMissing as error:  # a 404 with the look of Ollama's, and no model was named
            raise not_ollama(self.url) from error
        except ModelError as error:
            raise ModelUnreachable(error.message, where=self.url, hint=error.hint) from error

    def _ask(self, method: str, path: str, body: JsonObject | None = None, *, model: str = "") -> Mapping[str, object]:
        try:
            with AbortSignal().child(timeout_s=self._timeout_s, what="the server's answer") as abort:
                return self._http.call(method, path, body, abort, model=model)
        except DeadlineExceeded as error:
            raise ModelUnreachable(
                f"the server takes connections but did not answer within {self._timeout_s:g} s",
                where=self.url,
                hint="Restart it",
            ) from error

    def _pull_error(self, said: object, name: str) -> LocalAgentError:
        text = said if isinstance(said, str) else ""
        if "file does not exist" in text or "not found" in text:
            error: LocalAgentError = missing(name, where=self.url)
            error.message = f"no model {name!r} is published"
            error.hint = "Check its name and tag"
            return error
        if "dial tcp" in text or "no such host" in text:
            return ModelError(
                f"the server could not reach the model library: {text}", where=self.url, hint="Is it online?"
            )
        return from_error(said, status=200, where=self.url, model=name)

    def _broken_off(self, name: str) -> IncompleteAnswer:
        return IncompleteAnswer(
            f"the download of {name!r} broke off", where=self.url, hint="Pull it again: it goes on where it was"
        )


def same_model(one: str, other: str) -> bool:
    """Whether two names mean the same model: case and the default tag, namespace and registry do not matter."""
    return _full_name(one) == _full_name(other)


def _full_name(name: str) -> str:
    name = name.lower()
    for prefix in ("registry.ollama.ai/", "library/"):
        name = name.removeprefix(prefix)
    return name if ":" in name.rsplit("/", 1)[-1] else f"{name}:latest"


def _models(listing: Mapping[str, object]) -> Sequence[Mapping[str, object]]:
    models = listing.get("models")
    return [model for model in models if isinstance(model, Mapping)] if isinstance(models, list) else []


def _text(data: Mapping[str, object], key: str) -> str:
    value = data.get(key)
    return value if isinstance(value, str) else ""


def _number(data: Mapping[str, object], key: str) -> int:
    value = data.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
