"""The common parts of every answer over HTTP: hosts, origins, headers, bodies, and how a refusal is written."""
