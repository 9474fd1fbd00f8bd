"""Asking a server what it has, pulling and removing."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from ollama_fixture import FakeModel, FakeOllama

from localagent.abort import AbortSignal
from localagent.errors import IncompleteAnswer, Interrupted, ModelError, ModelMissing, ModelUnreachable
from localagent.models.ollama_server import OllamaServer, PullProgress, same_model


@pytest.fixture
def server(ollama_server: FakeOllama) -> OllamaServer:
    return OllamaServer(ollama_server.url, timeout_s=20)


def test_its_version(server: OllamaServer) -> None:
    assert server.probe() == "0.33.0"


def test_nobody_something_else_or_somebody_unfriendly(ollama_server: FakeOllama, server: OllamaServer) -> None:
    ollama_server.version = None
    with pytest.raises(ModelUnreachable):
        server.probe()
    ollama_server.foreign = b"<!doctype html><title>router</title>"
    with pytest.raises(ModelUnreachable, match="not Ollama"):
        server.probe()
    ollama_server.foreign = b'{"hello": "world"}'
    with pytest.raises(ModelUnreachable, match="not Ollama"):
        server.probe()
    for page in (b'{"hello": "world"}', b"hello", b"[]"):
        ollama_server.foreign = page
        with pytest.raises(ModelUnreachable, match="not Ollama"):
            server.installed()
    ollama_server.foreign, ollama_server.forbidden = None, True
    with pytest.raises(ModelUnreachable, match="403"):
        server.installed()
    with pytest.raises(ModelUnreachable, match="403"):
        server.probe()
    ollama_server.close()
    with pytest.raises(ModelUnreachable, match="nothing answers"):
        server.probe()


@pytest.mark.parametrize("ask", [OllamaServer.probe, OllamaServer.installed, lambda server: server.has("tiny")])
@pytest.mark.parametrize(
    ("status", "page"),
    [
        (502, b"Bad gateway"),
        (504, b""),
        (503, b"no healthy upstream"),
        (500, b"boom"),
        (500, b'{"error": "the disk is full"}'),
        (404, b'{"error": "no such route"}'),
        (401, b'{"error": "unauthorized"}'),
        (429, b"slow down"),
        (304, b""),
        (200, b'{"error": "no"}'),
    ],
)
def test_what_is_no_healthy_ollama_is_unreachable(
    ollama_server: FakeOllama, server: OllamaServer, ask: Callable[[OllamaServer], object], status: int, page: bytes
) -> None:
    ollama_server.foreign, ollama_server.foreign_status = page, status
    with pytest.raises(ModelUnreachable) as caught:
        ask(server)
    assert caught.value.where == ollama_server.url


def test_no_connection_outlives_its_question(ollama_server: FakeOllama, server: OllamaServer) -> None:
    ollama_server.add("tiny")
    assert server.has("tiny")
    ollama_server.registry["more:latest"] = FakeModel("more:latest")
    steps = server.pull("more", AbortSignal())
    next(steps)
    steps.close()  # type: ignore[attr-defined]
    assert ollama_server.all_closed.wait(20)


def test_a_server_that_hangs(ollama_server: FakeOllama) -> None:
    ollama_server.silent = True
    server = OllamaServer(ollama_server.url, timeout_s=0.05)
    with pytest.raises(ModelUnreachable, match=r"did not answer within 0\.05 s"):
        server.probe()


def test_what_it_has(ollama_server: FakeOllama, server: OllamaServer) -> None:
    assert server.installed() == []
    ollama_server.add("tiny")
    ollama_server.add("qwen2.5:14b", capabilities=("completion", "tools"))
    first, second = server.installed()
    assert (first.name, first.size, first.parameter_size, first.quantization) == ("tiny:latest", 1200, "1.2B", "Q4_K_M")
    assert second.capabilities == {"completion", "tools"}
    assert server.has("TINY")
    assert server.has("registry.ollama.ai/library/qwen2.5:14b")
    assert not server.has("qwen2.5")


def test_a_pull_counts_over_all_layers_and_ends_complete(ollama_server: FakeOllama, server: OllamaServer) -> None:
    ollama_server.registry["tiny:latest"] = FakeModel("tiny:latest")
    steps = list(server.pull("tiny", AbortSignal()))
    assert steps[0] == PullProgress("pulling manifest", 0, 0)
    assert [(step.completed, step.total) for step in steps[1:5]] == [(0, 1200), (600, 1200), (1190, 1200), (1500, 1500)]
    assert steps[-1] == PullProgress("success", 1500, 1500)
    assert [step.completed for step in steps] == sorted(step.completed for step in steps)
    assert server.has("tiny")


def test_a_pull_that_fails_in_the_middle(ollama_server: FakeOllama, server: OllamaServer) -> None:
    layer = {"status": "pulling 9f", "digest": "sha256:9f", "total": 10, "completed": 5}
    ollama_server.pulls = {
        "bad:latest": [layer, {"error": "digest mismatch, file must be downloaded again: want sha256:9f"}],
        "offline:latest": [
            {"status": "pulling manifest"},
            {"error": 'pull model manifest: Get "x": dial tcp: lookup x: no such host'},
        ],
        "short:latest": [layer],
    }
    steps = server.pull("bad", AbortSignal())
    assert next(steps) == PullProgress("pulling 9f", 5, 10)
    with pytest.raises(ModelError, match="digest mismatch"):
        next(steps)
    with pytest.raises(ModelError, match="could not reach the model library"):
        list(server.pull("offline", AbortSignal()))
    with pytest.raises(IncompleteAnswer, match="broke off"):
        list(server.pull("short", AbortSignal()))
    assert server.installed() == []


def test_a_name_that_nobody_published(server: OllamaServer) -> None:
    with pytest.raises(ModelMissing, match="'没有' is published"):
        list(server.pull("没有", AbortSignal()))


def test_a_pull_can_be_stopped(ollama_server: FakeOllama, server: OllamaServer) -> None:
    ollama_server.registry["tiny:latest"] = FakeModel("tiny:latest")
    ollama_server.pull_gate = threading.Event()
    abort = AbortSignal()
    steps = server.pull("tiny", abort)
    next(steps)
    stopper = threading.Thread(target=lambda: (ollama_server.waiting.wait(20), abort.abort()))
    stopper.start()
    with pytest.raises(Interrupted):
        list(steps)
    stopper.join()
    assert ollama_server.log[-1].disconnected.wait(20)
    assert not server.has("tiny")


def test_removing(ollama_server: FakeOllama, server: OllamaServer) -> None:
    ollama_server.add("tiny")
    server.remove("tiny")
    assert server.installed() == []
    with pytest.raises(ModelMissing):
        server.remove("tiny")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("tiny", "tiny:latest", True),
        ("Tiny", "tiny", True),
        ("library/tiny", "tiny:latest", True),
        ("me/tiny", "tiny", False),
        ("tiny:1b", "tiny", False),
        ("host:5000/me/tiny", "host:5000/me/tiny:latest", True),
    ],
)
def test_names_that_mean_the_same(one: str, other: str, same: bool) -> None:
    assert same_model(one, other) is same
