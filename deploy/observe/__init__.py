"""What shows how a deployment is: dashboards, recording rules, alerts, and a Prometheus for the launcher."""
