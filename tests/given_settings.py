"""Settings that a test gives."""

import os
from typing import Any

from pydantic_settings import BaseSettings, PydanticBaseSettingsSource

from services.runtime.settings import Settings


class GivenSettings(Settings):
    """Settings as given, the usual for all else: the environment, which takes milliseconds to read, has the inner key only."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**{"inner_key": os.environ["BRETTWERK_INNER_KEY"], **given})

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        return (init_settings,)
