"""A node of Kubernetes on this machine, and a trial of the chart on it: `deploy/cluster/up`, `try` and `down`."""
