# ruff: noqa: E501 - a panel a line
"""The five dashboards; `python -m deploy.observe.dashboards` writes them to deploy/chart/files/dashboards."""

import json
from pathlib import Path

from deploy.observe.panels import Board, Panel

FOLDER = Path(__file__).resolve().parents[2] / "deploy" / "chart" / "files" / "dashboards"
_N = 'namespace=~"$namespace"'
_GATEWAY = 'service="gateway"'


def _quantile(share: float, series: str, by: str = "", where: str = "") -> str:
    labels = f"le, {by}" if by else "le"
    selector = f"{_N},{where}" if where else _N
    return f"histogram_quantile({share}, sum by ({labels}) (rate({series}_bucket{{{selector}}}[$__rate_interval])))"


def _rate(series: str, by: str, where: str = "") -> str:
    selector = f"{_N},{where}" if where else _N
    return f"sum by ({by}) (rate({series}{{{selector}}}[$__rate_interval]))"


OVERVIEW = Board(
    "brettwerk-overview",
    "Brettwerk: overview",
    "The page to begin with: whether people can play, what fails, and what needs attention soon. The other dashboards say why.",
    (
        Panel("People watching", "Open watches at the endpoints.", [(f"sum(brettwerk:watch_streams:sum{{{_N}}})", "")], width=4, kind="stat"),
        Panel("Failing", "Share of calls that fail through our fault.", [(f'max(brettwerk:calls_failed:ratio5m{{{_N},service="gateway"}})', "")], "percentunit", 4, "stat", 0.02),
        Panel("Slowest 1 %", "p99 of actions at the gateway.", [(f"max(brettwerk:act_duration_seconds:p99_5m{{{_N}}})", "")], "s", 4, "stat", 0.5),
        Panel("Computers begin after", "The longest that a person is waiting now.", [(f'max(brettwerk_ai_oldest_wait_seconds{{{_N},class="person"}})', "")], "s", 4, "stat", 5),
        Panel("Overdue computers", "Games whose computer player should have answered.", [(f"sum(brettwerk_ai_overdue_sessions{{{_N}}})", "")], width=4, kind="stat", limit=5),
        Panel("Archive", "How long ago the first game ended that waits for the archive.", [(f"max(brettwerk_archive_oldest_wait_seconds{{{_N}}})", "")], "s", 4, "stat", 1800),
        Panel("Last good backup", "How old it is, by the marker of the data folder or the chart's job.", [(f"time() - max(brettwerk_backup_timestamp_seconds{{{_N}}} > 0)", "marker"), (f'time() - max(kube_cronjob_status_last_successful_time{{{_N},cronjob=~".*brettwerk.*-backup"}})', "job")], "s", 4, "stat", 36 * 3600),
        Panel("Certificates", "How long the first to expire is still valid.", [(f"min(brettwerk_certificate_expires_timestamp_seconds{{{_N}}} > 0) - time()", "")], "s", 4, "stat"),
        Panel("Stores answer", "Whether each Redis answers.", [(f"max by (store) (brettwerk_redis_up{{{_N}}})", "{{store}}")], width=4, kind="stat", is_truth=True),
        Panel("Archive answers", "Whether its database does.", [(f"max(brettwerk_archive_up{{{_N}}})", "")], width=4, kind="stat", is_truth=True),
        Panel("Workers", "That are alive.", [(f"max(brettwerk_ai_workers{{{_N}}})", "")], width=4, kind="stat"),
        Panel("Firing alerts", "How many of Brettwerk's fire.", [(f'count(ALERTS{{{_N},alertstate="firing",alertname=~"Brettwerk.*"}}) or vector(0)', "")], width=4, kind="stat", limit=1),
        Panel("Which alerts fire", "Each has a page in docs/runbooks.", [(f'max by (alertname) (ALERTS{{{_N},alertstate="firing",alertname=~"Brettwerk.*"}})', "{{alertname}}")], width=12),
        Panel("Slowest calls", "p95 at the gateway, of the five slowest methods.", [(f'topk(5, {_quantile(0.95, "brettwerk_call_duration_seconds", "method", _GATEWAY)})', "{{method}}")], "s", 12),
        Panel("Versions", "Processes of each version.", [(f"count by (service, version) (brettwerk_build_info{{{_N}}})", "{{service}} {{version}}")], width=12),
        Panel("Actions by game", "Accepted actions per second.", [(f"sum by (game, seat_kind) (brettwerk:actions:rate1m{{{_N}}})", "{{game}} {{seat_kind}}")], "ops", 12),
    ),
)  # fmt: skip
PLAYERS = Board(
    "brettwerk-players",
    "Brettwerk: players",
    "What players notice: whether they can act, how long it takes, whether computers answer.",
    (
        Panel("People watching", "Open watches at the endpoints.", [(f"sum(brettwerk:watch_streams:sum{{{_N}}})", "")], width=4, kind="stat"),
        Panel("Actions", "Accepted actions per second.", [(f"sum(brettwerk:actions:rate1m{{{_N}}})", "")], "ops", 4, "stat"),
        Panel("Failing", "Share of calls that fail through our fault.", [(f'max(brettwerk:calls_failed:ratio5m{{{_N},service="gateway"}})', "")], "percentunit", 4, "stat", 0.02),
        Panel("Slowest 1 %", "p99 of actions at the gateway.", [(f"max(brettwerk:act_duration_seconds:p99_5m{{{_N}}})", "")], "s", 4, "stat", 0.5),
        Panel("Computers begin after", "The longest that a person is waiting now.", [(f'max(brettwerk_ai_oldest_wait_seconds{{{_N},class="person"}})', "")], "s", 4, "stat", 5),
        Panel("Overdue computers", "Games whose computer player should have answered.", [(f"max(brettwerk_ai_overdue_sessions{{{_N}}})", "")], width=4, kind="stat", limit=5),
        Panel("Actions by game", "Accepted actions per second.", [(f"sum by (game, seat_kind) (brettwerk:actions:rate1m{{{_N}}})", "{{game}} {{seat_kind}}")], "ops"),
        Panel("Time to act", "At the gateway, including everything behind it.", [(_quantile(q, "brettwerk_call_duration_seconds", where='service="gateway",method="Act"'), f"p{round(q * 100)}") for q in (0.5, 0.95, 0.99)], "s", limit=0.5),
        Panel("Refusals", "Why players were refused; NOT_YOUR_TURN and ILLEGAL are theirs, UNAVAILABLE and INTERNAL ours.", [(_rate("brettwerk_refusals_total", "reason"), "{{reason}}")], "ops"),
        Panel("Sessions", "By outcome.", [(_rate("brettwerk_sessions_total", "game, outcome"), "{{game}} {{outcome}}")], "ops"),
        Panel("Unfinished sessions", "By the session process that owns them.", [(f"sum by (instance) (brettwerk_sessions_unfinished{{{_N}}})", "{{instance}}")]),
        Panel("Watches", "Open at each endpoint.", [(f"sum by (endpoint) (brettwerk:watch_streams:sum{{{_N}}})", "{{endpoint}}")]),
        Panel("Watches begun", "New watches, and resumed ones.", [(_rate("brettwerk_watch_resumes_total", "kind"), "{{kind}}")], "ops"),
        Panel("Clocks that ran out", "Per second.", [(_rate("brettwerk_clock_expirations_total", "game"), "{{game}}")], "ops"),
        Panel("Played without thinking", "Computers' moves while no worker was alive, or that none could compute.", [(_rate("brettwerk_ai_fallback_moves_total", "game"), "{{game}}")], "ops"),
        Panel("Refused by rate limits", "By rule.", [(_rate("brettwerk_rate_limited_total", "rule"), "{{rule}}")], "ops"),
    ),
)  # fmt: skip
SERVICES = Board(
    "brettwerk-services",
    "Brettwerk: services",
    "Rate, errors and duration of every service.",
    (
        Panel("Calls", "Per second.", [(f"sum by (service) (brettwerk:calls:rate1m{{{_N}}})", "{{service}}")], "ops"),
        Panel("Failing", "Share of calls that fail through our fault.", [(f"max by (service) (brettwerk:calls_failed:ratio5m{{{_N}}})", "{{service}}")], "percentunit", limit=0.02),
        Panel("Duration p99", "Of all calls.", [(f"max by (service) (brettwerk:call_duration_seconds:p99_5m{{{_N}}})", "{{service}}")], "s"),
        Panel("Calls by method", "Per second, at the gateway.", [(_rate("brettwerk_calls_total", "method", 'service="gateway"'), "{{method}}")], "ops", 12),
        Panel("Calls by code", "Per second.", [(_rate("brettwerk_calls_total", "service, code", 'code!="OK"'), "{{service}} {{code}}")], "ops", 12),
        Panel("Commit", "How long the script takes that commits an action.", [(_quantile(q, "brettwerk_commit_duration_seconds"), f"p{round(q * 100)}") for q in (0.5, 0.99)], "s"),
        Panel("Conflicts", "Commits per second that lost against another writer and were retried, and those of processes that no longer owned the shard.", [(_rate("brettwerk_store_conflicts_total", "namespace"), "{{namespace}}"), (_rate("brettwerk_commits_moved_total", "namespace"), "{{namespace}} moved")], "ops"),
        Panel("Shards", "How many of the 16 each session process owns.", [(f"sum by (instance) (brettwerk_shards_owned{{{_N}}})", "{{instance}}")]),
        Panel("Shards that change owners", "Per second: claimed from a process that was gone, received from one that left or shared, handed over, lost while a process could not report that it was alive.", [(_rate("brettwerk_shard_changes_total", "kind"), "{{kind}}")], "ops"),
        Panel("Passed on", "Refusals per second of sessions that only a newer release understands: only during an upgrade.", [(_rate("brettwerk_sessions_passed_on_total", "namespace"), "{{namespace}}")], "ops"),
        Panel("Calls by pod", "Per second: whether the load is spread evenly.", [(_rate("brettwerk_calls_total", "service, instance"), "{{service}} {{instance}}")], "ops"),
        Panel("CPU by pod", "Cores; those of workers are in your nodes' metrics.", [(f"sum by (service, instance) (rate(process_cpu_seconds_total{{{_N}}}[$__rate_interval]) * on (instance) group_left (service) brettwerk_build_info{{{_N}}})", "{{service}} {{instance}}")], "none"),
        Panel("Starts by pod", "Restarts of processes within the last hour.", [(f"sum by (instance) (changes(process_start_time_seconds{{{_N}}}[1h]))", "{{instance}}")]),
        Panel("Pods wanted and missing", "Of Deployments, from kube-state-metrics.", [(f'sum by (deployment) (kube_deployment_spec_replicas{{{_N},deployment=~".*brettwerk.*"}})', "{{deployment}} wanted"), (f'sum by (deployment) (kube_deployment_status_replicas_unavailable{{{_N},deployment=~".*brettwerk.*"}})', "{{deployment}} missing")]),
        Panel("Autoscalers and their bounds", "Pods wanted, as a share of the maximum, from kube-state-metrics.", [(f'max by (horizontalpodautoscaler) (kube_horizontalpodautoscaler_status_desired_replicas{{{_N},horizontalpodautoscaler=~".*brettwerk.*"}}) / on (horizontalpodautoscaler) max by (horizontalpodautoscaler) (kube_horizontalpodautoscaler_spec_max_replicas{{{_N}}})', "{{horizontalpodautoscaler}}")], "percentunit", limit=1),
        Panel("Waiting for the archive", "Sessions that have ended but are not in the archive yet, and how long ago the first of them ended, in minutes. Two minutes are normal: an ending can be taken back for that long.", [(f"sum(brettwerk_archive_waiting{{{_N}}})", "sessions"), (f"max(brettwerk_archive_oldest_wait_seconds{{{_N}}}) / 60", "minutes")]),
        Panel("Archive answers", "Whether its database answers the session service.", [(f"max(brettwerk_archive_up{{{_N}}})", "")], kind="stat", is_truth=True),
        Panel("Certificates", "Days until the first one expires; 0 if connections are not encrypted.", [(f"(min(brettwerk_certificate_expires_timestamp_seconds{{{_N}}} > 0) - time()) / 86400", "")], kind="stat"),
        Panel("Archived", "Sessions per second.", [(_rate("brettwerk_archived_total", "game"), "{{game}}")], "ops"),
        Panel("Finished games to take", "Games that the players service has not taken yet, up to 500, and how long ago the oldest ended, in minutes.", [(f"max(brettwerk_results_waiting{{{_N}}})", "games"), (f"max(brettwerk_results_oldest_wait_seconds{{{_N}}}) / 60", "minutes")]),
        Panel("Messages to players", "Push messages and mails per second, by outcome.", [(_rate("brettwerk_notifications_total", "channel, outcome"), "{{channel}} {{outcome}}")], "ops"),
        Panel("Messages waiting", "How long the oldest message has been due.", [(f"max by (channel) (brettwerk_notifications_oldest_wait_seconds{{{_N}}})", "{{channel}}")], "s"),
        Panel("CPU", "Cores; those of workers are in your nodes' metrics.", [(f'sum by (service) (rate(process_cpu_seconds_total{{{_N}}}[$__rate_interval]) * on (instance) group_left (service) brettwerk_build_info{{{_N}}})', "{{service}}")], "none"),
        Panel("Memory", "Resident; workers are in your nodes' metrics.", [(f"sum by (service) (process_resident_memory_bytes{{{_N}}} * on (instance) group_left (service) brettwerk_build_info{{{_N}}})", "{{service}}")], "bytes"),
        Panel("Processes", "Processes that report metrics, by version.", [(f"count by (service, version) (brettwerk_build_info{{{_N}}})", "{{service}} {{version}}")]),
    ),
)  # fmt: skip
WORKERS = Board(
    "brettwerk-workers",
    "Brettwerk: computers",
    "Who waits for what, and how long; whether there are enough workers, and what they do.",
    (
        Panel("A person waits", "The longest that a person is waiting for a computer to begin; workers are scaled by this.", [(f'max(brettwerk_ai_oldest_wait_seconds{{{_N},class="person"}})', "")], "s", 4, "stat", 5),
        Panel("Demand over capacity", "New and waiting work, as a share of what workers can do; workers are scaled by this.", [(f"max(brettwerk:ai_load:ratio{{{_N}}})", "")], "percentunit", 4, "stat", 1.2),
        Panel("Thinking time granted", "As a share of what levels ask for, where a person is waiting.", [(f'min(brettwerk:ai_think_share:avg5m{{{_N},class="person"}})', "")], "percentunit", 4, "stat"),
        Panel("Not played", "Share of thinking time whose moves were not played.", [(f"max(brettwerk:ai_wasted:ratio10m{{{_N}}})", "")], "percentunit", 4, "stat", 0.1),
        Panel("Moves at once", "How many the live workers can compute.", [(f"max(brettwerk_ai_slots{{{_N}}})", "")], width=4, kind="stat"),
        Panel("Workers", "That are alive.", [(f"max(brettwerk_ai_workers{{{_N}}})", "")], width=4, kind="stat"),
        Panel("Who waits", "Moves and hints waiting for a worker, by who is waiting for them.", [(f"max by (class) (brettwerk_ai_wanted{{{_N}}})", "{{class}}")]),
        Panel("Oldest wait", "By who is waiting.", [(f"max by (class) (brettwerk_ai_oldest_wait_seconds{{{_N}}})", "{{class}}")], "s", limit=5),
        Panel("Wait p50 and p95", "From request to worker, for moves that were begun, by who is waiting.", [(f"max by (class) (brettwerk:ai_wait_seconds:p50_5m{{{_N}}})", "{{class}} p50"), (f"max by (class) (brettwerk:ai_wait_seconds:p95_5m{{{_N}}})", "{{class}} p95")], "s", limit=3),
        Panel("Wanted", "Full thinking time wanted per second, by who is waiting: this many moves at once keep up.", [(f"sum by (class) (brettwerk:ai_wanted_seconds:rate1m{{{_N}}})", "{{class}}")], "none"),
        Panel("Demand and capacity", "How many moves must be computed at once to keep up, and how many workers can compute.", [(f"max by (namespace) (brettwerk:ai_demand:sum{{{_N}}})", "{{namespace}} wanted"), (f"max by (namespace) (brettwerk_ai_slots{{{_N}}})", "{{namespace}} available")], "none"),
        Panel("Backlog", "Full thinking time of everything that is waiting.", [(f"max by (namespace) (brettwerk_ai_backlog_seconds{{{_N}}})", "{{namespace}}")], "s"),
        Panel("Thinking time granted, by who waits", "As a share of what levels ask for.", [(f"min by (class) (brettwerk:ai_think_share:avg5m{{{_N}}})", "{{class}}")], "percentunit"),
        Panel("Thought", "Seconds of thinking per second, by outcome.", [(_rate("brettwerk_ai_thought_seconds_total", "outcome"), "{{outcome}}")], "none"),
        Panel("Processes", "Of workers: available and busy.", [(f"sum(brettwerk_ai_worker_slots{{{_N}}})", "available"), (f"sum(brettwerk_ai_worker_busy{{{_N}}})", "busy")]),
        Panel("Moves", "Wanted moves per second, by outcome.", [(_rate("brettwerk_ai_attempts_total", "outcome"), "{{outcome}}")], "ops"),
        Panel("Odd", "Orders per second that a worker could not carry out, and moves that none could compute.", [(_rate("brettwerk_ai_attempts_total", "outcome", 'outcome=~"odd|unplayable"'), "{{outcome}}")], "ops"),
        Panel("Played without thinking", "Per second, because no worker was alive or could compute the move.", [(_rate("brettwerk_ai_fallback_moves_total", "game"), "{{game}}")], "ops"),
        Panel("Thinking p95", "By game and level.", [(_quantile(0.95, "brettwerk_ai_think_seconds", "game, level"), "{{game}} {{level}}")], "s", 12),
        Panel("Wanted, by level", "Moves and hints per second, by game and level.", [(_rate("brettwerk_ai_wants_total", "game, level"), "{{game}} {{level}}")], "ops"),
        Panel("Wait p95, by level", "From request to worker.", [(_quantile(0.95, "brettwerk_ai_level_wait_seconds", "game, level"), "{{game}} {{level}}")], "s"),
        Panel("Not played, by level", "Orders per second that did not end with a move or an analysis, by outcome.", [(_rate("brettwerk_ai_level_attempts_total", "game, level, outcome", 'outcome!~"played|reviewed"'), "{{game}} {{level}} {{outcome}}")], "ops"),
        Panel("On the board", "Moves and hints that are wanted, waiting or in hand, and the limit.", [(f"max by (namespace) (brettwerk_ai_noted{{{_N}}})", "{{namespace}}"), (f"max by (namespace) (brettwerk_ai_noted_limit{{{_N}}})", "{{namespace}} limit")]),
        Panel("Known", "Moves per second that were already known from an equal position.", [(_rate("brettwerk_ai_known_total", "namespace"), "{{namespace}}")], "ops"),
        Panel("Runs", "Runs of games for statistics that have not ended, and the workers that play them.", [(f"max by (namespace) (brettwerk_runs_open{{{_N}}})", "{{namespace}} open"), (f"max by (namespace) (brettwerk_runs_workers{{{_N}}})", "{{namespace}} workers")]),
        Panel("Games of runs", "Per second, by outcome; failed ones are bugs.", [(_rate("brettwerk_run_games_total", "game, outcome"), "{{game}} {{outcome}}")], "ops"),
        Panel("Tickets", "Messages per second that wake workers.", [(_rate("brettwerk_ai_tickets_total", "namespace"), "{{namespace}}")], "ops"),
    ),
)  # fmt: skip
REDIS = Board(
    "brettwerk-redis",
    "Brettwerk: Redis",
    "The stores: running games (sessions), and moves wanted of computers (broker).",
    (
        Panel("Answers", "Whether it answers the services that use it.", [(f"max by (store) (brettwerk_redis_up{{{_N}}})", "{{store}}")], width=6, kind="stat", is_truth=True),
        Panel("Writes its file", "Whether it can write its append-only file.", [(f"min by (store) (brettwerk_redis_aof_ok{{{_N}}})", "{{store}}")], width=6, kind="stat", is_truth=True),
        Panel("Uptime", "Since it was started.", [(f"time() - max by (store) (brettwerk_redis_start_time_seconds{{{_N}}})", "{{store}}")], "s", 6, "stat"),
        Panel("Evicted keys", "Each is a loss.", [(f"max by (store) (brettwerk_redis_evicted_keys{{{_N}}})", "{{store}}")], width=6, kind="stat", limit=1),
        Panel("Memory", "In use, and the limit.", [(f"max by (store) (brettwerk_redis_memory_bytes{{{_N}}})", "{{store}}"), (f"max by (store) (brettwerk_redis_memory_limit_bytes{{{_N}}})", "{{store}} limit")], "bytes"),
        Panel("Memory share", "As a share of the limit.", [(f"max by (store) (brettwerk:redis_memory:ratio{{{_N}}})", "{{store}}")], "percentunit", limit=0.7),
        Panel("File", "Size of the append-only file.", [(f"max by (store) (brettwerk_redis_aof_bytes{{{_N}}})", "{{store}}")], "bytes"),
        Panel("Disk", "Space left on the archive's disk, if the archive is a file.", [(f"min by (disk) (brettwerk_disk_free_bytes{{{_N}}})", "{{disk}}")], "bytes"),
        Panel("CPU", "Cores; it cannot use more than one.", [(f"max by (store) (rate(brettwerk_redis_cpu_seconds{{{_N}}}[$__rate_interval]))", "{{store}}")], "none", limit=0.8),
        Panel("Commands", "Per second.", [(f"max by (store) (rate(brettwerk_redis_commands{{{_N}}}[$__rate_interval]))", "{{store}}")], "ops"),
        Panel("Round trip", "Of a service's request.", [(_quantile(0.99, "brettwerk_redis_round_trip_seconds", "store"), "{{store}} p99")], "s"),
        Panel("Connections", "And the limit.", [(f"max by (store) (brettwerk_redis_clients{{{_N}}})", "{{store}}"), (f"max by (store) (brettwerk_redis_clients_limit{{{_N}}})", "{{store}} limit")]),
    ),
)  # fmt: skip
BOARDS = (OVERVIEW, PLAYERS, SERVICES, WORKERS, REDIS)


def text(board: Board) -> str:
    """Return a board's file."""
    return json.dumps(board.json(), indent=1) + "\n"


def file(board: Board) -> Path:
    """Return where it lies."""
    return FOLDER / f"{board.uid}.json"


if __name__ == "__main__":
    for one in BOARDS:
        file(one).write_text(text(one))
