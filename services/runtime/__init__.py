"""What every process is started with: settings, logs, traces, metrics, refusals, links, servers. It imports no service."""
