"""Loading a model with `xllamacpp`: the parameters, and what goes wrong."""

from __future__ import annotations

import importlib.metadata
from pathlib import Path
from typing import TYPE_CHECKING, Final

from localagent.errors import EnvironmentFault
from localagent.models.gguf import GgufHeader
from localagent.models.llama_socket import LlamaSocket
from localagent.models.machine import available_memory, threads_now

if TYPE_CHECKING:
    import xllamacpp

_PACKAGE: Final = "xllamacpp"
_AGAIN: Final = f"Install localagent again: it brings the version of {_PACKAGE} that it is made for"
# A batch of 32 tokens takes 0.13-0.2 s on two slow cores: so long may an abort wait while the prompt is read, and a
# request for a summary to let go of the model. Larger batches read hardly faster there (CPU time of 1,000 tokens: 9.3 s
# with 16, 8.4 with 32, 8.2 with 64), on a graphics card they do.
_BATCH_CPU: Final = 32
_BATCH_GPU: Final = 512
# Prompts the slot gave up for another one are kept in memory, so that a call in the background (compression) does not
# cost the chat its prefix. The library's default is 8192 MiB; it keeps one prompt whatever its size, and this holds a
# full window of a small model beside it.
_PROMPT_CACHE_MIB: Final = 256


def start_server(gguf: Path, header: GgufHeader, window: int, listener: LlamaSocket) -> xllamacpp.Server:
    """Load a model, for a window of so many tokens. Raises `EnvironmentFault`: no library, one of another kind than
    this is made for, or a model that it cannot load."""
    try:
        import xllamacpp

        params = _parameters(gguf, window, listener)
    except ImportError as error:
        raise EnvironmentFault(f"llama.cpp cannot be used: {error}", where=_PACKAGE, hint=_AGAIN) from error
    except (AttributeError, TypeError) as error:  # its parameters are renamed every few months
        raise EnvironmentFault(
            f"the version of {_PACKAGE} that is installed, {_version()}, is not one this program knows: {error}",
            where=_PACKAGE,
            hint=_AGAIN,
        ) from error
    try:
        return xllamacpp.Server(params)
    except RuntimeError as error:  # all it ever says
        raise EnvironmentFault(
            f"llama.cpp could not load the model ({header.architecture}, window {window}); "
            "either memory is short or this version does not know this kind of model",
            where=str(gguf),
            hint=f"Set a smaller model.num_ctx, or update {_PACKAGE}",
        ) from error


def check_memory(gguf: Path, needed: int, window: int) -> None:
    """Refuse a window whose cache cannot fit: the system would kill the process while the library fills it."""
    free = available_memory()
    if free is not None and needed > free:
        raise EnvironmentFault(
            f"a window of {window} tokens needs {needed / 2**30:.1f} GiB of memory; {free / 2**30:.1f} GiB are free",
            where=str(gguf),
            hint="Set a smaller model.num_ctx, or close other programs",
        )


def _parameters(gguf: Path, window: int, listener: LlamaSocket) -> xllamacpp.CommonParams:
    import xllamacpp

    cpu = xllamacpp.ggml_backend_dev_type.GGML_BACKEND_DEVICE_TYPE_CPU
    accelerated = any(device["type"] != cpu for device in xllamacpp.get_device_info())
    params = xllamacpp.CommonParams()
    params.model.path = str(gguf)
    params.n_ctx = window
    params.n_batch = params.n_ubatch = _BATCH_GPU if accelerated else _BATCH_CPU
    params.n_parallel = 1
    if (threads := threads_now()) is not None:
        params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
    params.cache_ram_mib = _PROMPT_CACHE_MIB
    params.fit_params = accelerated  # tries out how much fits on the device; costs a third of the loading time
    params.warmup = False  # costs more than the first call gains
    params.hostnames = [listener.hostname]
    params.port = listener.port
    params.api_keys = [listener.key]
    params.prefill_assistant = False  # a conversation that ends with an answer is not an answer to be continued
    params.endpoint_slots = False
    params.ui = False
    params.verbosity = -1  # nothing on standard output or error
    return params


def _version() -> str:
    try:
        return importlib.metadata.version(_PACKAGE)
    except importlib.metadata.PackageNotFoundError:
        return "unknown"
