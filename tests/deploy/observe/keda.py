"""The pods that KEDA and the autoscaler that it feeds want for a ScaledObject: its own queries, asked of a real Prometheus.

KEDA hands the answer of each query to a HorizontalPodAutoscaler as an external metric. An AverageValue wants as many pods as
the answer has thresholds; a Value wants as many more than there are as the answer is larger than the threshold, and leaves a
tenth more or less alone. The most that a query wants is done, between the bounds. From zero, and to zero, KEDA scales by itself:
there is a pod while any answer is above its activation threshold, which is zero, and none once all are not (after the
`cooldownPeriod`). A query that fails changes nothing.
https://keda.sh/docs/latest/concepts/scaling-deployments/#activating-and-scaling-thresholds
https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/#algorithm-details
"""

import math
from collections.abc import Callable
from typing import Any

TOLERANCE = 0.1


def wanted(scaled: dict[str, Any], ask: Callable[[str], list[float]], replicas: int) -> int:
    """Return how many pods there should be while there are so many; `ask` answers a query with the samples that it has.

    Raises AssertionError for a query with more than one answer, which KEDA refuses. No answer counts as 0, or with
    `ignoreNullValues: "false"` as a failure: with one the autoscaler takes no pods away.
    """
    least = int(scaled["spec"]["minReplicaCount"])
    if least == 0:
        figures = [ask(trigger["metadata"]["query"]) for trigger in scaled["spec"]["triggers"]]
        is_active = any(answers and answers[0] > 0 for answers in figures)
        if replicas == 0 or not is_active:
            failed = any(not answers and trigger["metadata"].get("ignoreNullValues") == "false" for answers, trigger in zip(figures, scaled["spec"]["triggers"], strict=True))  # fmt: skip # noqa: E501
            return replicas if failed and not is_active else int(is_active)
    counts: list[int] = [max(least, 1)]
    for trigger in scaled["spec"]["triggers"]:
        answers = ask(trigger["metadata"]["query"])
        assert len(answers) <= 1, trigger["metadata"]["query"]
        if not answers and trigger["metadata"].get("ignoreNullValues") == "false":
            counts.append(replicas)
            continue
        # Both are quantities of a thousandth at the least, as the autoscaler gets them.
        share = round((answers[0] if answers else 0.0) * 1000) / round(float(trigger["metadata"]["threshold"]) * 1000)
        if trigger["metricType"] == "AverageValue":
            counts.append(replicas if abs(share / replicas - 1) <= TOLERANCE else math.ceil(share))
        else:
            counts.append(replicas if abs(share - 1) <= TOLERANCE else math.ceil(replicas * share))
    return min(max(counts), int(scaled["spec"]["maxReplicaCount"]))
