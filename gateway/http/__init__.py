"""The common parts of every answer over HTTP: hosts, origins, headers, and how a refusal is written."""
