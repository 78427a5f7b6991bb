# ruff: noqa: E501 - a panel a line
"""The four dashboards; `python -m deploy.observe.dashboards` writes them to deploy/chart/files/dashboards."""

import json
from pathlib import Path

from deploy.observe.panels import Board, Panel

FOLDER = Path(__file__).resolve().parents[2] / "deploy" / "chart" / "files" / "dashboards"
_N = 'namespace=~"$namespace"'


def _quantile(share: float, series: str, by: str = "", where: str = "") -> str:
    labels = f"le, {by}" if by else "le"
    selector = f"{_N},{where}" if where else _N
    return f"histogram_quantile({share}, sum by ({labels}) (rate({series}_bucket{{{selector}}}[$__rate_interval])))"


def _rate(series: str, by: str, where: str = "") -> str:
    selector = f"{_N},{where}" if where else _N
    return f"sum by ({by}) (rate({series}{{{selector}}}[$__rate_interval]))"


PLAYERS = Board(
    "brettwerk-players",
    "Brettwerk: players",
    "What players notice: whether they can act, how long it takes, whether computers answer.",
    (
        Panel("People watching", "Open watches at the endpoints.", [(f"sum(brettwerk:watch_streams:sum{{{_N}}})", "")], width=4, kind="stat"),
        Panel("Actions", "Accepted actions a second.", [(f"sum(brettwerk:actions:rate1m{{{_N}}})", "")], "ops", 4, "stat"),
        Panel("Failing", "Share of calls that fail by our fault.", [(f'max(brettwerk:calls_failed:ratio5m{{{_N},service="gateway"}})', "")], "percentunit", 4, "stat", 0.02),
        Panel("Slowest hundredth", "p99 of acting at the gateway.", [(f"max(brettwerk:act_duration_seconds:p99_5m{{{_N}}})", "")], "s", 4, "stat", 0.5),
        Panel("Computers begin after", "How long the person waits who waits longest.", [(f'max(brettwerk_ai_oldest_wait_seconds{{{_N},class="person"}})', "")], "s", 4, "stat", 5),
        Panel("Overdue computers", "Games whose computer player should have answered.", [(f"max(brettwerk_ai_overdue_sessions{{{_N}}})", "")], width=4, kind="stat", limit=5),
        Panel("Actions by game", "Accepted actions a second.", [(f"sum by (game, seat_kind) (brettwerk:actions:rate1m{{{_N}}})", "{{game}} {{seat_kind}}")], "ops"),
        Panel("Time to act", "At the gateway, with everything behind it.", [(_quantile(q, "brettwerk_call_duration_seconds", where='service="gateway",method="Act"'), f"p{round(q * 100)}") for q in (0.5, 0.95, 0.99)], "s", limit=0.5),
        Panel("Refusals", "Why players were refused; NOT_YOUR_TURN and ILLEGAL are theirs, UNAVAILABLE and INTERNAL ours.", [(_rate("brettwerk_refusals_total", "reason"), "{{reason}}")], "ops"),
        Panel("Sessions", "By what became of them.", [(_rate("brettwerk_sessions_total", "game, outcome"), "{{game}} {{outcome}}")], "ops"),
        Panel("Unfinished sessions", "That are not over, by the session process that owns them.", [(f"sum by (instance) (brettwerk_sessions_unfinished{{{_N}}})", "{{instance}}")]),
        Panel("Watches", "Open at each endpoint.", [(f"sum by (endpoint) (brettwerk:watch_streams:sum{{{_N}}})", "{{endpoint}}")]),
        Panel("Watches begun", "New ones, and those that were taken up again.", [(_rate("brettwerk_watch_resumes_total", "kind"), "{{kind}}")], "ops"),
        Panel("Clocks that ran out", "A second.", [(_rate("brettwerk_clock_expirations_total", "game"), "{{game}}")], "ops"),
        Panel("Played without thinking", "Moves of computers while no worker lived, or that none could think about.", [(_rate("brettwerk_ai_fallback_moves_total", "game"), "{{game}}")], "ops"),
        Panel("Refused by rate limits", "By rule.", [(_rate("brettwerk_rate_limited_total", "rule"), "{{rule}}")], "ops"),
    ),
)  # fmt: skip
SERVICES = Board(
    "brettwerk-services",
    "Brettwerk: services",
    "Rate, errors and duration of every service.",
    (
        Panel("Calls", "A second.", [(f"sum by (service) (brettwerk:calls:rate1m{{{_N}}})", "{{service}}")], "ops"),
        Panel("Failing", "Share of calls that fail by our fault.", [(f"max by (service) (brettwerk:calls_failed:ratio5m{{{_N}}})", "{{service}}")], "percentunit", limit=0.02),
        Panel("Duration p99", "Of all calls.", [(f"max by (service) (brettwerk:call_duration_seconds:p99_5m{{{_N}}})", "{{service}}")], "s"),
        Panel("Calls by method", "A second, at the gateway.", [(_rate("brettwerk_calls_total", "method", 'service="gateway"'), "{{method}}")], "ops", 12),
        Panel("Calls by code", "A second.", [(_rate("brettwerk_calls_total", "service, code", 'code!="OK"'), "{{service}} {{code}}")], "ops", 12),
        Panel("Commit", "Time of the script that commits an action.", [(_quantile(q, "brettwerk_commit_duration_seconds"), f"p{round(q * 100)}") for q in (0.5, 0.99)], "s"),
        Panel("Conflicts", "Commits that lost against another writer and were tried again, a second; and those of processes that owned the shard no more.", [(_rate("brettwerk_store_conflicts_total", "namespace"), "{{namespace}}"), (_rate("brettwerk_commits_moved_total", "namespace"), "{{namespace}} moved")], "ops"),
        Panel("Shards", "How many of the 16 each session process owns.", [(f"sum by (instance) (brettwerk_shards_owned{{{_N}}})", "{{instance}}")]),
        Panel("Shards that change owners", "A second: claimed of one who was gone, received from one who left or shared, handed over, lost while one could not say that it lives.", [(_rate("brettwerk_shard_changes_total", "kind"), "{{kind}}")], "ops"),
        Panel("Passed on", "Refusals of sessions that only a newer release understands, a second: in the midst of an upgrade only.", [(_rate("brettwerk_sessions_passed_on_total", "namespace"), "{{namespace}}")], "ops"),
        Panel("Calls by pod", "A second: whether the load is spread.", [(_rate("brettwerk_calls_total", "service, instance"), "{{service}} {{instance}}")], "ops"),
        Panel("CPU by pod", "Cores; those of workers are in your nodes' metrics.", [(f"sum by (service, instance) (rate(process_cpu_seconds_total{{{_N}}}[$__rate_interval]) * on (instance) group_left (service) brettwerk_build_info{{{_N}}})", "{{service}} {{instance}}")], "none"),
        Panel("Starts by pod", "Of processes within the last hour, besides the first.", [(f"sum by (instance) (changes(process_start_time_seconds{{{_N}}}[1h]))", "{{instance}}")]),
        Panel("Pods wanted and missing", "By kube-state-metrics, of Deployments.", [(f'sum by (deployment) (kube_deployment_spec_replicas{{{_N},deployment=~".*brettwerk.*"}})', "{{deployment}} wanted"), (f'sum by (deployment) (kube_deployment_status_replicas_unavailable{{{_N},deployment=~".*brettwerk.*"}})', "{{deployment}} missing")]),
        Panel("Autoscalers and their bounds", "By kube-state-metrics: pods wanted, of the most that there may be.", [(f'max by (horizontalpodautoscaler) (kube_horizontalpodautoscaler_status_desired_replicas{{{_N},horizontalpodautoscaler=~".*brettwerk.*"}}) / on (horizontalpodautoscaler) max by (horizontalpodautoscaler) (kube_horizontalpodautoscaler_spec_max_replicas{{{_N}}})', "{{horizontalpodautoscaler}}")], "percentunit", limit=1),
        Panel("Waiting for the archive", "Sessions that ended and are not in the archive yet; and how long ago the first ended, in minutes. Two minutes are normal: an end can be taken back for that long.", [(f"sum(brettwerk_archive_waiting{{{_N}}})", "sessions"), (f"max(brettwerk_archive_oldest_wait_seconds{{{_N}}}) / 60", "minutes")]),
        Panel("Archive answers", "Whether its database answers the session service.", [(f"max(brettwerk_archive_up{{{_N}}})", "")], kind="stat", is_truth=True),
        Panel("Certificates", "Days until the first one expires; 0 where connections are not encrypted.", [(f"(min(brettwerk_certificate_expires_timestamp_seconds{{{_N}}} > 0) - time()) / 86400", "")], kind="stat"),
        Panel("Archived", "Sessions a second.", [(_rate("brettwerk_archived_total", "game"), "{{game}}")], "ops"),
        Panel("Finished games to take", "That the players service has not taken yet, at most 500; and how long ago the oldest ended, in minutes.", [(f"max(brettwerk_results_waiting{{{_N}}})", "games"), (f"max(brettwerk_results_oldest_wait_seconds{{{_N}}}) / 60", "minutes")]),
        Panel("Messages to players", "Pushed and mailed a second, by what became of them.", [(_rate("brettwerk_notifications_total", "channel, outcome"), "{{channel}} {{outcome}}")], "ops"),
        Panel("Messages wait", "For how long the first message has been due.", [(f"max by (channel) (brettwerk_notifications_oldest_wait_seconds{{{_N}}})", "{{channel}}")], "s"),
        Panel("CPU", "Cores; those of workers are in your nodes' metrics.", [(f'sum by (service) (rate(process_cpu_seconds_total{{{_N}}}[$__rate_interval]) * on (instance) group_left (service) brettwerk_build_info{{{_N}}})', "{{service}}")], "none"),
        Panel("Memory", "Resident; workers are in your nodes' metrics.", [(f"sum by (service) (process_resident_memory_bytes{{{_N}}} * on (instance) group_left (service) brettwerk_build_info{{{_N}}})", "{{service}}")], "bytes"),
        Panel("Processes", "That show themselves, by version.", [(f"count by (service, version) (brettwerk_build_info{{{_N}}})", "{{service}} {{version}}")]),
    ),
)  # fmt: skip
WORKERS = Board(
    "brettwerk-workers",
    "Brettwerk: computers",
    "Who waits how long for what; whether there are enough workers, and what they do.",
    (
        Panel("A person waits", "Who waits longest for a computer to begin; workers are scaled by it.", [(f'max(brettwerk_ai_oldest_wait_seconds{{{_N},class="person"}})', "")], "s", 4, "stat", 5),
        Panel("Demand over capacity", "What is wanted and what waits, of what workers can do; workers are scaled by it.", [(f"max(brettwerk:ai_load:ratio{{{_N}}})", "")], "percentunit", 4, "stat", 1.2),
        Panel("Thinking time granted", "Of what levels name, where a person waits.", [(f'min(brettwerk:ai_think_share:avg5m{{{_N},class="person"}})', "")], "percentunit", 4, "stat"),
        Panel("Not played", "Share of thinking whose moves were not played.", [(f"max(brettwerk:ai_wasted:ratio10m{{{_N}}})", "")], "percentunit", 4, "stat", 0.1),
        Panel("Thoughts at once", "That the living workers can have.", [(f"max(brettwerk_ai_slots{{{_N}}})", "")], width=4, kind="stat"),
        Panel("Workers", "That live.", [(f"max(brettwerk_ai_workers{{{_N}}})", "")], width=4, kind="stat"),
        Panel("Who waits", "Moves and hints that wait for a worker, by who waits for them.", [(f"max by (class) (brettwerk_ai_wanted{{{_N}}})", "{{class}}")]),
        Panel("Oldest wait", "By who waits.", [(f"max by (class) (brettwerk_ai_oldest_wait_seconds{{{_N}}})", "{{class}}")], "s", limit=5),
        Panel("Wait p50 and p95", "From want to worker, of what was begun, by who waits.", [(f"max by (class) (brettwerk:ai_wait_seconds:p50_5m{{{_N}}})", "{{class}} p50"), (f"max by (class) (brettwerk:ai_wait_seconds:p95_5m{{{_N}}})", "{{class}} p95")], "s", limit=3),
        Panel("Wanted", "Thinking time wanted in a second, in full, by who waits: so many thoughts at once keep up.", [(f"sum by (class) (brettwerk:ai_wanted_seconds:rate1m{{{_N}}})", "{{class}}")], "none"),
        Panel("Demand and capacity", "Thoughts at once that would keep up, and that workers can have.", [(f"max by (namespace) (brettwerk:ai_demand:sum{{{_N}}})", "{{namespace}} wanted"), (f"max by (namespace) (brettwerk_ai_slots{{{_N}}})", "{{namespace}} there")], "none"),
        Panel("Backlog", "Thinking time that all that waits will take, in full.", [(f"max by (namespace) (brettwerk_ai_backlog_seconds{{{_N}}})", "{{namespace}}")], "s"),
        Panel("Thinking time granted, by who waits", "Of what levels name.", [(f"min by (class) (brettwerk:ai_think_share:avg5m{{{_N}}})", "{{class}}")], "percentunit"),
        Panel("Thought", "Seconds of thinking in a second, by what became of it.", [(_rate("brettwerk_ai_thought_seconds_total", "outcome"), "{{outcome}}")], "none"),
        Panel("Processes", "Of workers: that can think, and that do.", [(f"sum(brettwerk_ai_worker_slots{{{_N}}})", "there"), (f"sum(brettwerk_ai_worker_busy{{{_N}}})", "busy")]),
        Panel("Moves", "That were wanted, by what became of them, a second.", [(_rate("brettwerk_ai_attempts_total", "outcome"), "{{outcome}}")], "ops"),
        Panel("Odd", "Orders that a worker could not carry out, and moves that none could, a second.", [(_rate("brettwerk_ai_attempts_total", "outcome", 'outcome=~"odd|unplayable"'), "{{outcome}}")], "ops"),
        Panel("Played without thinking", "Since no worker lived, or none could think about it, a second.", [(_rate("brettwerk_ai_fallback_moves_total", "game"), "{{game}}")], "ops"),
        Panel("Thinking p95", "By game and level.", [(_quantile(0.95, "brettwerk_ai_think_seconds", "game, level"), "{{game}} {{level}}")], "s", 12),
        Panel("On the board", "Moves and hints that are wanted, waiting or in hand, and how many it takes.", [(f"max by (namespace) (brettwerk_ai_noted{{{_N}}})", "{{namespace}}"), (f"max by (namespace) (brettwerk_ai_noted_limit{{{_N}}})", "{{namespace}} limit")]),
        Panel("Known", "Moves answered by a thought about an equal position, a second.", [(_rate("brettwerk_ai_known_total", "namespace"), "{{namespace}}")], "ops"),
        Panel("Runs", "Of games for statistics: that have not ended, and workers that play them.", [(f"max by (namespace) (brettwerk_runs_open{{{_N}}})", "{{namespace}} open"), (f"max by (namespace) (brettwerk_runs_workers{{{_N}}})", "{{namespace}} workers")]),
        Panel("Games of runs", "By what became of them, a second; failed ones are defects.", [(_rate("brettwerk_run_games_total", "game, outcome"), "{{game}} {{outcome}}")], "ops"),
        Panel("Tickets", "Messages to workers that somebody should think, a second.", [(_rate("brettwerk_ai_tickets_total", "namespace"), "{{namespace}}")], "ops"),
    ),
)  # fmt: skip
REDIS = Board(
    "brettwerk-redis",
    "Brettwerk: Redis",
    "The stores: running games (sessions), and what is wanted of computers (broker).",
    (
        Panel("Answers", "Whether it answers the services that use it.", [(f"max by (store) (brettwerk_redis_up{{{_N}}})", "{{store}}")], width=6, kind="stat", is_truth=True),
        Panel("Writes its file", "Whether it can write its append-only file.", [(f"min by (store) (brettwerk_redis_aof_ok{{{_N}}})", "{{store}}")], width=6, kind="stat", is_truth=True),
        Panel("Runs for", "Since its start.", [(f"time() - max by (store) (brettwerk_redis_start_time_seconds{{{_N}}})", "{{store}}")], "s", 6, "stat"),
        Panel("Thrown away", "Keys; any is a loss.", [(f"max by (store) (brettwerk_redis_evicted_keys{{{_N}}})", "{{store}}")], width=6, kind="stat", limit=1),
        Panel("Memory", "In use, and what it may use.", [(f"max by (store) (brettwerk_redis_memory_bytes{{{_N}}})", "{{store}}"), (f"max by (store) (brettwerk_redis_memory_limit_bytes{{{_N}}})", "{{store}} limit")], "bytes"),
        Panel("Memory share", "Of what it may use.", [(f"max by (store) (brettwerk:redis_memory:ratio{{{_N}}})", "{{store}}")], "percentunit", limit=0.7),
        Panel("File", "Size of the append-only file.", [(f"max by (store) (brettwerk_redis_aof_bytes{{{_N}}})", "{{store}}")], "bytes"),
        Panel("Disk", "Room on the disk of the archive, where that is a file.", [(f"min by (disk) (brettwerk_disk_free_bytes{{{_N}}})", "{{disk}}")], "bytes"),
        Panel("CPU", "Cores; one is all that it can use.", [(f"max by (store) (rate(brettwerk_redis_cpu_seconds{{{_N}}}[$__rate_interval]))", "{{store}}")], "none", limit=0.8),
        Panel("Commands", "A second.", [(f"max by (store) (rate(brettwerk_redis_commands{{{_N}}}[$__rate_interval]))", "{{store}}")], "ops"),
        Panel("Round trip", "Of a question that a service asks it.", [(_quantile(0.99, "brettwerk_redis_round_trip_seconds", "store"), "{{store}} p99")], "s"),
        Panel("Connections", "And how many it takes.", [(f"max by (store) (brettwerk_redis_clients{{{_N}}})", "{{store}}"), (f"max by (store) (brettwerk_redis_clients_limit{{{_N}}})", "{{store}} limit")]),
    ),
)  # fmt: skip
BOARDS = (PLAYERS, SERVICES, WORKERS, REDIS)


def text(board: Board) -> str:
    """Return a board's file."""
    return json.dumps(board.json(), indent=1) + "\n"


def file(board: Board) -> Path:
    """Return where it lies."""
    return FOLDER / f"{board.uid}.json"


if __name__ == "__main__":
    for one in BOARDS:
        file(one).write_text(text(one))
