"""The common beginning of every process: settings, logs, traces, metrics, refusals, links, servers. It imports no service."""
