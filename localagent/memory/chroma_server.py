"""A Chroma server, and a client of it that waits no longer than it is told."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from localagent.memory.chroma_package import load_chromadb

if TYPE_CHECKING:
    from chromadb.api.client import Client
    from chromadb.api.fastapi import FastAPI
    from chromadb.auth import UserIdentity

# Seconds: a recall waits for it.
CONNECT_TIMEOUT_S = 2.0
ANSWER_TIMEOUT_S = 10.0


@dataclass(frozen=True, slots=True)
class ChromaServer:
    """As in agent.yaml. `headers` (a token, say) are sent with each request and shown nowhere."""

    host: str
    port: int = 8000
    ssl: bool = False
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)

    @property
    def url(self) -> str:
        return f"{'https' if self.ssl else 'http'}://{self.url_host}:{self.port}"

    @property
    def url_host(self) -> str:
        bare = self.host.strip("[]")
        return f"[{bare}]" if ":" in bare else bare

    @property
    def on_this_machine(self) -> bool:
        host = self.host.strip("[]")
        try:
            return ipaddress.ip_address(host).is_loopback
        except ValueError:
            return host == "localhost" or host.endswith(".localhost")


def connect(server: ChromaServer) -> Client:
    """Raises what Chroma and httpx raise."""
    settings = load_chromadb()
    import httpx
    from chromadb.api.client import Client

    class PatientClient(Client):
        """Chroma's own waits for ever, asks the environment's proxy for this machine too, and closes no connection."""

        def get_user_identity(self) -> UserIdentity:
            """Precedes every other request."""
            api = cast("FastAPI", self._server)
            old = api._session
            api._session = httpx.Client(
                timeout=httpx.Timeout(ANSWER_TIMEOUT_S, connect=CONNECT_TIMEOUT_S),
                limits=api.http_limits,
                headers=old.headers,
                trust_env=not server.on_this_machine,
            )
            old.close()
            return super().get_user_identity()

        def _validate_tenant_database(self, tenant: str, database: str) -> None:
            """It would ask through a second session, which knows nothing of the above; opening the collection finds
            the same out."""

        def close(self) -> None:
            session = cast("FastAPI", self._server)._session
            super().close()
            session.close()

    return PatientClient(
        settings=settings(
            chroma_api_impl="chromadb.api.fastapi.FastAPI",
            chroma_server_host=server.url_host,
            chroma_server_http_port=server.port,
            chroma_server_ssl_enabled=server.ssl,
            chroma_server_headers=dict(server.headers),
            anonymized_telemetry=False,
        )
    )
