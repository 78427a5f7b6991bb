"""Where links in messages lead: to pages of the web client, at the first origin that players sign in at."""

from dataclasses import dataclass
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True)
class Links:
    """The addresses of pages."""

    origin: str
    """https://play.example.org"""

    @property
    def host(self) -> str:
        """The name of the server in texts."""
        return urlsplit(self.origin).netloc

    @property
    def settings(self) -> str:
        """The page for choosing which news is sent."""
        return f"{self.origin}/account"

    def page(self, path: str) -> str:
        """Return the address of a page by its path."""
        return f"{self.origin}{path}"

    def confirmation(self, code: str) -> str:
        """Return the page that confirms a mail address. The part after the # does not reach servers that merely check links."""
        return f"{self.origin}/confirm-mail#{code}"

    def unsubscription(self, code: str) -> str:
        """Return the page to unsubscribe; a mail program does so by POST (RFC 8058)."""
        return f"{self.origin}/unsubscribe/{code}"
