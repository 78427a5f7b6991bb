"""What every process starts with: settings, logs, traces, metrics, refusals, links, servers. It imports no service."""
