"""The view of a deployment's state: dashboards, recording rules, alerts, and a Prometheus for the launcher."""
