"""What every answer over HTTP shares: hosts, origins, headers, bodies, and how a refusal is written."""
