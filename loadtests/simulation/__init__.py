"""A simulation by discrete events of many deployments and what fails in them, and of a day of workers that KEDA scales."""
