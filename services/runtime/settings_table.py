"""The settings as a table for people: `python -m services.runtime.settings_table` prints the page docs/settings.md."""

from pydantic import SecretStr

from services.runtime.settings import Settings


def table() -> str:
    """Return the table of all settings as Markdown."""
    rows = ["| variable | default | what it is |", "| --- | --- | --- |"]
    for name, field in Settings.model_fields.items():
        default = "" if isinstance(field.default, SecretStr) else str(field.default)
        rows.append(f"| `BRETTWERK_{name.upper()}` | {f'`{default}`' if default else ''} | {field.description} |")
    return "\n".join(rows) + "\n"


if __name__ == "__main__":
    print("# Settings\n\nEvery process reads these from its environment.\n\n" + table(), end="")
