"""Queries of Prometheus as panels need them: of the namespaces that a dashboard shows, over one of its steps."""

N = 'namespace=~"$namespace"'
INSTANCE = "namespace, instance"
"""A process. It is told by its address, and shown by the name of its pod."""


def series(name: str, where: str = "") -> str:
    """Return a selector of a series; `where` are further matchers of labels."""
    return f"{name}{{{N}{',' * bool(where)}{where}}}"


def or_zero(query: str, label: str = "") -> str:
    """Return a query that says 0 while nothing has happened, and nothing where no process is seen at all.

    With a label the zero has that, and is called `none`.
    """
    zero = f"0 * count({series('brettwerk_build_info')})"
    return f"{query} or on () " + (f'label_replace({zero}, "{label}", "none", "", "")' if label else zero)


def growth(name: str, by: str = "", where: str = "") -> str:
    """Return by how much counters grow in a second, added up by labels."""
    return f"sum {f'by ({by}) ' * bool(by)}(rate({series(name, where)}[$__rate_interval]))"


def per_minute(name: str, by: str = "", where: str = "") -> str:
    """Return how often something happens in a minute: what is rare is said in numbers that people can picture."""
    return or_zero(f"60 * {growth(name, by, where)}", by.partition(",")[0])


def quantile(share: float, name: str, by: str = "", where: str = "") -> str:
    """Return a quantile of a histogram by labels."""
    return f"histogram_quantile({share}, {growth(f'{name}_bucket', ', '.join(filter(None, ('le', by))), where)})"


def of_service(service: str, name: str) -> str:
    """Return a series of the processes of one service. All others show it, too, since they share what declares it."""
    build = series("brettwerk_build_info", f'service="{service}"')
    return f"{series(name)} and on ({INSTANCE}) {build}"


def by_process(query: str, how: str = "sum") -> str:
    """Return a query of series without a service by service and pod."""
    return f"{how} by (service, pod) ({query} * on ({INSTANCE}) group_left (service) {series('brettwerk_build_info')})"


def alerts(names: str = "Brettwerk.*") -> str:
    """Return the alerts that fire, each as 1."""
    return series("ALERTS", f'alertname=~"{names}",alertstate="firing"')


def alerts_since() -> str:
    """Return since when the condition of each alert that fires holds, in seconds since 1970."""
    named = 'alertname=~"Brettwerk.*"'
    return f"{series('ALERTS_FOR_STATE', named)} and ignoring (alertstate) {alerts()}"
