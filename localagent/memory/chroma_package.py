"""ChromaDB, imported so that nothing but localagent configures it.

By itself the package reads a file `.env` in the current folder and variables of the environment while it is imported:
either can make the import fail, name a server, or name a class to load. A folder that somebody else wrote must not
decide that.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING

from localagent.errors import StorageError

if TYPE_CHECKING:
    from chromadb.config import Settings
    from pydantic_settings import BaseSettings, PydanticBaseSettingsSource

_IMPORT = threading.Lock()


def load_chromadb() -> type[Settings]:
    """Import it, if it is not yet; its settings, which take only what they are given. About a second the first time.

    Raises StorageError where it cannot be imported.
    """
    with _IMPORT, _nothing_from_outside():
        try:
            from chromadb.config import Settings
        except (ImportError, OSError, RuntimeError, ValueError) as error:
            raise StorageError(
                f"ChromaDB cannot be loaded: {error}",
                hint="Install localagent again. Until then every vector is compared, which is slower.",
            ) from error
    if "settings_customise_sources" not in vars(Settings):
        Settings.settings_customise_sources = classmethod(_given_alone)  # type: ignore[method-assign,assignment,arg-type]
    return Settings


@contextlib.contextmanager
def _nothing_from_outside() -> Iterator[None]:
    """While the package is imported it makes settings of its own, before anybody can reach them."""
    from pydantic_settings import BaseSettings

    original = vars(BaseSettings)["settings_customise_sources"]
    BaseSettings.settings_customise_sources = classmethod(_given_alone)  # type: ignore[method-assign,assignment,arg-type]
    try:
        yield
    finally:
        BaseSettings.settings_customise_sources = original  # type: ignore[method-assign]


def _given_alone(
    cls: type[BaseSettings],
    settings_cls: type[BaseSettings],
    init_settings: PydanticBaseSettingsSource,
    **sources: PydanticBaseSettingsSource,
) -> tuple[PydanticBaseSettingsSource, ...]:
    return (init_settings,)
