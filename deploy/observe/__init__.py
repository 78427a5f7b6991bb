"""What shows how a house is: dashboards, recording rules, alerts, and a Prometheus for the launcher."""
