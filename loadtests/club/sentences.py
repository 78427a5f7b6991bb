"""The sentences by which mails and push messages say what has happened, in English."""

import json
from pathlib import Path

_TEXTS = Path(__file__).parents[2] / "services" / "players" / "notifications" / "en.json"


def sentences() -> dict[str, str]:
    """Return the kind of news, in lower case, that each sentence stands for."""
    texts = json.loads(_TEXTS.read_text(encoding="utf-8"))
    found = {text: key.removeprefix("news.") for key, text in texts.items() if key.startswith("news.")}
    return {**found, texts["push.many"].partition("{")[0]: "many"}
