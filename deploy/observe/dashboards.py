# ruff: noqa: E501 - a panel a line
"""The five dashboards; `python -m deploy.observe.dashboards` writes them to deploy/chart/files/dashboards.

Titles are words of those who run the system. Rare events are counted by the minute.
"""

import json
from pathlib import Path

from deploy.observe.alerts import ALERTS
from deploy.observe.panels import COMPUTERS, FIRST, PLAYERS, SERVICES, STORES, Board, Panel, Row
from deploy.observe.promql import alerts, alerts_since, by_process, growth, of_service, or_zero, per_minute, quantile, series

FOLDER = Path(__file__).resolve().parents[2] / "deploy" / "chart" / "files" / "dashboards"
_OURS = 'code=~"INTERNAL|UNAVAILABLE|UNKNOWN|DEADLINE_EXCEEDED|DATA_LOSS"'
"""Failures that are our fault (recording.yaml)."""
_THEIRS = 'code!~"OK|CANCELLED|INTERNAL|UNAVAILABLE|UNKNOWN|DEADLINE_EXCEEDED|DATA_LOSS"'
"""Refusals with a reason. A call that its client ended, like a watch that is closed, is neither."""
_BUILD = "brettwerk_build_info"
_PERSON = 'class="person"'
_DURATION = "brettwerk_call_duration_seconds"
_GATEWAY = 'service="gateway"'
_HIT = 'outcome="hit"'
_CRONJOB = 'cronjob=~".*brettwerk.*-backup"'
_DEPLOYMENT = 'deployment=~".*brettwerk.*"'
_AUTOSCALER = 'horizontalpodautoscaler=~".*brettwerk.*"'
_PER_MINUTE = "suffix:/min"
_KUBERNETES = "kube-state-metrics"


def _tile(title: str, about: str, board: str) -> Panel:
    """Return how many alerts fire that a dashboard explains; it leads there."""
    names = "|".join(alert.name for alert in ALERTS if alert.panel[0] == board)
    return Panel(title, about, [(or_zero(f"count({alerts(names)})"), "")], "none", "stat", 1, zero="well", leads_to=board)


def _firing() -> str:
    """Return since when each alert fires, in milliseconds, with the dashboard that explains it."""
    query = f"max by (alertname, severity, service, store, channel) ({alerts_since()})"
    for board in (FIRST, PLAYERS, COMPUTERS, SERVICES, STORES):
        names = "|".join(alert.name for alert in ALERTS if alert.panel[0] == board)
        query = f'label_replace({query}, "dashboard", "{board}", "alertname", "{names}")'
    return f"1000 * {query}"


_LAST_ALERT = f"max_over_time(max(timestamp({alerts()}))[12h:1m])"
OVERVIEW = Board(
    FIRST,
    "Brettwerk: first page",
    "Is it well, since when, and what to look at next. The other dashboards say why.",
    (
        Row("Is it well?", (
            Panel("Alerts that fire", "Each has a panel and a run book: see the table below.", [(or_zero(f"count({alerts()})"), "")], "none", "stat", 1, zero="well"),
            Panel("Firing for", "How long ago the condition of the first alert began that fires now.", [(or_zero(f"time() - min({alerts_since()})"), "")], "s", "stat", 1, zero="nothing fires"),
            Panel("Well for", "How long no alert has fired; twelve hours stand for any longer time.", [(f"time() - ({_LAST_ALERT} or on () time() - 12 * 3600 + 0 * count({series(_BUILD)}))", "")], "s", "stat"),
            Panel("Calls that fail", "Share of the calls at the gateway that fail through our fault, within five minutes.", [(or_zero(f"max({series('brettwerk:calls_failed:ratio5m', _GATEWAY)} >= 0)"), "")], "percentunit", "stat", 0.02),
            Panel("Slowest actions", "One action in a hundred takes longer than this, at the gateway.", [(or_zero(f"max({series('brettwerk:act_duration_seconds:p99_5m')} >= 0)"), "")], "s", "stat", 0.5),
            Panel("A person waits for a computer", "The longest that a person is waiting now for a computer to begin.", [(or_zero(f"max({series('brettwerk_ai_oldest_wait_seconds', _PERSON)})"), "")], "s", "stat", 5),
        )),
        Row("What to look at next", (
            _tile("Players", "Alerts about what players notice. A click leads to the dashboard that says more.", PLAYERS),
            _tile("Computers", "Alerts about computer players and their workers. A click leads to the dashboard that says more.", COMPUTERS),
            _tile("Services", "Alerts about services and their processes. A click leads to the dashboard that says more.", SERVICES),
            _tile("Stores", "Alerts about Redis. A click leads to the dashboard that says more.", STORES),
            Panel("Which alerts fire, and since when", "A click on a name leads to its run book, or to the dashboard that explains it.", [(_firing(), "")], "none", "table", needs="an alert that fires"),
        )),
        Row("How much is going on", (
            Panel("People who watch", "Open watches at the endpoints.", [(f"sum({series('brettwerk:watch_streams:sum')})", "")], "none", "stat"),
            Panel("Unfinished games", "That are not over, whether anybody is there or not.", [(f"sum({of_service('session', 'brettwerk_sessions_unfinished')})", "")], "none", "stat"),
            Panel("Actions", "Of people and computers, per minute.", [(or_zero(f"60 * sum({series('brettwerk:actions:rate1m')})"), "")], _PER_MINUTE, "stat"),
            Panel("Workers", "That are alive.", [(f"max({series('brettwerk_ai_workers')})", "")], "none", "stat"),
            Panel("Actions by game", "Of people and computers, per minute.", [(or_zero(f"60 * sum by (game) ({series('brettwerk:actions:rate1m')})", "game"), "{{game}}")], _PER_MINUTE),
            Panel("Alerts", "Which fired when.", [(or_zero(f"max by (alertname) ({alerts()})", "alertname"), "{{alertname}}")], "none"),
            Panel("Releases", "How many processes of each service and version report metrics.", [(f"count by (service, version) ({series(_BUILD)})", "{{service}} {{version}}")], "none"),
        )),
        Row("What needs attention soon", (
            Panel("Newest backup", "How long ago it was made, by the marker of the data folder or the chart's job.", [(f"time() - max({series('brettwerk_backup_timestamp_seconds')} > 0)", "marker"), (f'time() - max({series("kube_cronjob_status_last_successful_time", _CRONJOB)})', "job")], "s", "stat", 36 * 3600, needs="a backup, and for that of the chart kube-state-metrics"),
            Panel("Certificates are valid for", "The first that expires counts.", [(f"min({series('brettwerk_certificate_expires_timestamp_seconds')} > 0) - time()", "")], "s", "stat", needs="TLS between the services"),
            Panel("Archive answers", "Whether its database does.", [(f"max({of_service('session', 'brettwerk_archive_up')})", "")], kind="stat", is_truth=True),
            Panel("Waiting for the archive", "How long ago the first of the games ended that wait for it. Two minutes are normal: so long an ending can be taken back.", [(f"max({series('brettwerk_archive_oldest_wait_seconds')})", "")], "s", "stat", 1800),
            Panel("Shards without a process", "Of 16; nobody can act in their games.", [(f"16 - sum({series('brettwerk_shards_owned')})", "")], "none", "stat", 1),
            Panel("Games left out", "Installed games whose package is broken.", [(or_zero(f"sum(max by (game) ({series('brettwerk_games_left_out')}))"), "")], "none", "stat", 1),
        )),
    ),
)  # fmt: skip
PLAYERS_BOARD = Board(
    PLAYERS,
    "Brettwerk: players",
    "What players notice: whether they can act, how long it takes, and what becomes of their games.",
    (
        Row("Can people play?", (
            Panel("Actions by game", "Of people and computers, per minute.", [(or_zero(f"60 * sum by (game) ({series('brettwerk:actions:rate1m')})", "game"), "{{game}}")], _PER_MINUTE),
            Panel("Actions by who acts", "Per minute.", [(or_zero(f"60 * sum by (seat_kind) ({series('brettwerk:actions:rate1m')})", "seat_kind"), "{{seat_kind}}")], _PER_MINUTE),
            Panel("Refusals", "Why people were refused, per minute. NOT_YOUR_TURN and ILLEGAL are theirs, UNAVAILABLE and INTERNAL ours.", [(per_minute("brettwerk_refusals_total", "reason"), "{{reason}}")], _PER_MINUTE),
            Panel("Time until an action is answered", "At the gateway, with everything behind it: half of the actions, 95 and 99 in a hundred take no longer.", [(quantile(q, _DURATION, where=f'{_GATEWAY},method="Act"'), f"{round(q * 100)} %") for q in (0.5, 0.95, 0.99)], "s", limit=0.5, has_exemplars=True),
            Panel("Slowest calls", "95 calls in a hundred take no longer; the five slowest methods at the gateway.", [(f'topk(5, {quantile(0.95, _DURATION, "method", _GATEWAY)})', "{{method}}")], "s"),
            Panel("Refused by rate limits", "Calls per minute, by rule.", [(per_minute("brettwerk_rate_limited_total", "rule"), "{{rule}}")], _PER_MINUTE),
        )),
        Row("Games and those who watch", (
            Panel("Games begun and ended", "Per minute; closed are those that ended without a result.", [(per_minute("brettwerk_sessions_total", "game, outcome"), "{{game}} {{outcome}}")], _PER_MINUTE),
            Panel("Unfinished games by process", "Of the session service, whose processes share all games.", [(f"sum by (pod) ({of_service('session', 'brettwerk_sessions_unfinished')})", "{{pod}}")], "none"),
            Panel("Clocks that ran out", "Per minute.", [(per_minute("brettwerk_clock_expirations_total", "game"), "{{game}}")], _PER_MINUTE),
            Panel("Orders of players", "Per minute: what the server played at slow tables as players had ordered, and how their orders ended.", [(per_minute("brettwerk_orders_total", "outcome"), "{{outcome}}")], _PER_MINUTE),
            Panel("Orders that could not be followed", "Per minute: failed are errors in a game, which end the order; the others wait, since the rules service does not answer them.", [(per_minute("brettwerk_orders_total", "game, outcome", 'outcome=~"failed|unfollowed"'), "{{game}} {{outcome}}")], _PER_MINUTE),
            Panel("People who watch", "Open watches at each endpoint.", [(f"sum by (endpoint) ({series('brettwerk:watch_streams:sum')})", "{{endpoint}}")], "none"),
            Panel("Watches begun", "Per minute: new ones, and those that broke and were taken up again.", [(per_minute("brettwerk_watch_resumes_total", "kind", 'kind=~"new|resumed|moved|tail"'), "{{kind}}")], _PER_MINUTE),
            Panel("Streams ended by clients", "Per minute; people who leave, which is no error.", [(per_minute("brettwerk_calls_total", "method", f'{_GATEWAY},code="CANCELLED"'), "{{method}}")], _PER_MINUTE),
        )),
        Row("After the game", (
            Panel("Finished games that wait for the archive", "An ending can be taken back for two minutes; after that they go.", [(f"sum({of_service('session', 'brettwerk_archive_waiting')})", "games")], "none"),
            Panel("Longest wait for the archive", "How long ago the first of them ended.", [(f"max({series('brettwerk_archive_oldest_wait_seconds')})", "oldest")], "s", limit=1800),
            Panel("Games archived", "Per minute.", [(per_minute("brettwerk_archived_total", "game"), "{{game}}")], _PER_MINUTE),
            Panel("Finished games that wait for profiles", "Those that the players service has not taken yet; it counts 500 at most.", [(f"max({series('brettwerk_results_waiting')})", "games")], "none"),
            Panel("Longest wait for profiles", "How long ago the first of them ended.", [(f"max({series('brettwerk_results_oldest_wait_seconds')})", "oldest")], "s", limit=1800),
            Panel("Messages to players", "Push messages and mails per minute.", [(per_minute("brettwerk_notifications_total", "channel, outcome"), "{{channel}} {{outcome}}")], _PER_MINUTE),
            Panel("Longest wait of a message", "How long the first that has not been sent has been due.", [(or_zero(f"max by (channel) ({series('brettwerk_notifications_oldest_wait_seconds')})", "channel"), "{{channel}}")], "s", limit=1800),
        )),
    ),
)  # fmt: skip
SERVICES_BOARD = Board(
    SERVICES,
    "Brettwerk: services",
    "Rate, errors and duration of every service, what its processes take, and what its caches hold.",
    (
        Row("Calls", (
            Panel("Calls", "Per second, by service.", [(f"sum by (service) ({series('brettwerk:calls:rate1m')})", "{{service}}")], "reqps"),
            Panel("Calls that fail", "Share of calls that fail through our fault.", [(f"max by (service) ({series('brettwerk:calls_failed:ratio5m')})", "{{service}}")], "percentunit", limit=0.02),
            Panel("Time until a call is answered", "99 calls in a hundred take no longer.", [(f"max by (service) ({series('brettwerk:call_duration_seconds:p99_5m')})", "{{service}}")], "s"),
            Panel("Calls by method", "Per second, the ten most frequent ones at the gateway.", [(f'topk(10, {growth("brettwerk_calls_total", "method", _GATEWAY)})', "{{method}}")], "reqps"),
            Panel("Failed calls", "Per minute, through our fault, by service and code.", [(per_minute("brettwerk_calls_total", "service, code", _OURS), "{{service}} {{code}}")], _PER_MINUTE),
            Panel("Refused calls", "Per minute, for a reason that the caller is told. Streams that clients ended are on the dashboard for players.", [(per_minute("brettwerk_calls_total", "service, code", _THEIRS), "{{service}} {{code}}")], _PER_MINUTE),
        )),
        Row("Processes", (
            Panel("CPU by process", "Of one core. Workers are in your nodes' metrics.", [(by_process(f"rate({series('process_cpu_seconds_total')}[$__rate_interval])"), "{{pod}}")], "percentunit"),
            Panel("Memory by process", "Resident. Workers are in your nodes' metrics.", [(by_process(series("process_resident_memory_bytes")), "{{pod}}")], "bytes"),
            Panel("Longest stall of a process", "For how long it was busy with one thing while all others waited, within the last minute.", [(f"max by (service, pod) ({series('brettwerk_loop_late_seconds')})", "{{pod}}")], "s", limit=2),
            Panel("Calls by process", "Per second: whether the load is spread evenly.", [(growth("brettwerk_calls_total", "service, pod"), "{{pod}}")], "reqps"),
            Panel("Restarts by process", "Within the last hour.", [(by_process(f"changes({series('process_start_time_seconds')}[1h])"), "{{pod}}")], "none"),
            Panel("Processes and their releases", "How many report metrics, by service and version.", [(f"count by (service, version) ({series(_BUILD)})", "{{service}} {{version}}")], "none"),
        )),
        Row("Sessions and their shards", (
            Panel("Time to store an action", "Half of the actions, and 99 in a hundred, take no longer.", [(quantile(q, "brettwerk_commit_duration_seconds"), f"{round(q * 100)} %") for q in (0.5, 0.99)], "s"),
            Panel("Actions stored again", "Per minute: another writer came first, or the process did not own the shard any more.", [(per_minute("brettwerk_store_conflicts_total"), "another writer came first"), (per_minute("brettwerk_commits_moved_total"), "no longer the owner")], _PER_MINUTE),
            Panel("Actions that no replica had in time", "Per minute: they were acknowledged before the replicas of the store had them.", [(per_minute("brettwerk_store_unreplicated_total"), "actions")], _PER_MINUTE),
            Panel("Shards by process", "How many of the 16 each process of the session service serves.", [(f"sum by (pod) ({of_service('session', 'brettwerk_shards_owned')})", "{{pod}}")], "none"),
            Panel("Shards that change owners", "Per minute, and how.", [(per_minute("brettwerk_shard_changes_total", "kind"), "{{kind}}")], _PER_MINUTE),
            Panel("Sessions that only a newer release reads", "Calls per minute that were passed on to it: only during an upgrade.", [(per_minute("brettwerk_sessions_passed_on_total"), "passed on")], _PER_MINUTE),
        )),
        Row("Caches", (
            Panel("What caches hold", "As they count it; the limit is that of all processes together.", [(f"sum by (cache) ({series('brettwerk_cache_bytes')})", "{{cache}}")], "bytes", bounds=[(f"sum by (cache) ({series('brettwerk_cache_limit_bytes')})", "{{cache}}: limit")]),
            Panel("What caches are worth", "Share of the lookups that found something, within five minutes: what is not found is read and played again.", [(f"sum by (cache) (rate({series('brettwerk_cache_lookups_total', _HIT)}[5m])) / sum by (cache) (rate({series('brettwerk_cache_lookups_total')}[5m]))", "{{cache}}")], "percentunit"),
            Panel("Things in caches", "Sessions, histories of sessions, and positions.", [(f"sum by (cache) ({series('brettwerk_cache_entries')})", "{{cache}}")], "short"),
        )),
        Row("Kubernetes", (
            Panel("Pods wanted and missing", "Of Deployments.", [(f"sum by (deployment) ({series('kube_deployment_spec_replicas', _DEPLOYMENT)})", "{{deployment}} wanted"), (f"sum by (deployment) ({series('kube_deployment_status_replicas_unavailable', _DEPLOYMENT)})", "{{deployment}} missing")], "none", needs=_KUBERNETES),
            Panel("Autoscalers and their maximum", "Pods wanted, as a share of it.", [(f"max by (horizontalpodautoscaler) ({series('kube_horizontalpodautoscaler_status_desired_replicas', _AUTOSCALER)}) / on (horizontalpodautoscaler) max by (horizontalpodautoscaler) ({series('kube_horizontalpodautoscaler_spec_max_replicas')})", "{{horizontalpodautoscaler}}")], "percentunit", limit=1, needs=_KUBERNETES),
        )),
    ),
)  # fmt: skip
COMPUTERS_BOARD = Board(
    COMPUTERS,
    "Brettwerk: computers",
    "Who waits for a computer, and how long; whether there are enough workers, and what they do.",
    (
        Row("Does anybody wait too long?", (
            Panel("A person waits", "The longest that a person is waiting for a computer to begin; workers are scaled by this.", [(or_zero(f"max({series('brettwerk_ai_oldest_wait_seconds', _PERSON)})"), "")], "s", "stat", 5),
            Panel("Demand over capacity", "New and waiting work, as a share of what workers can do; workers are scaled by this.", [(f"max({series('brettwerk:ai_load:ratio')})", "")], "percentunit", "stat", 1.2),
            Panel("Thinking time granted", "As a share of what levels ask for, where a person is waiting; all of it while nobody asks.", [(f"min({series('brettwerk:ai_think_share:avg5m', _PERSON)} >= 0) or on () 0 * count({series(_BUILD)}) + 1", "")], "percentunit", "stat"),
            Panel("Thinking in vain", "Share of thinking time whose moves were not played.", [(or_zero(f"max({series('brettwerk:ai_wasted:ratio10m')} >= 0)"), "")], "percentunit", "stat", 0.1),
            Panel("Workers", "That are alive.", [(f"max({series('brettwerk_ai_workers')})", "")], "none", "stat"),
            Panel("Moves at once", "How many they can compute.", [(f"max({series('brettwerk_ai_slots')})", "")], "none", "stat"),
        )),
        Row("Demand", (
            Panel("Moves and hints that wait for a worker", "By who waits for them.", [(f"max by (class) ({series('brettwerk_ai_wanted')})", "{{class}}")], "none"),
            Panel("Longest wait for a worker", "Of what waits now, by who waits.", [(f"max by (class) ({series('brettwerk_ai_oldest_wait_seconds')})", "{{class}}")], "s", limit=5),
            Panel("Wait until a computer begins", "Of what was begun, by who waited: 95 in a hundred waited no longer.", [(f"max by (class) ({series('brettwerk:ai_wait_seconds:p95_5m')})", "{{class}}")], "s", limit=3),
            Panel("Thinking time asked for", "In seconds per second, by who waits: so many moves at once keep up.", [(or_zero(f"sum by (class) ({series('brettwerk:ai_wanted_seconds:rate1m')})", "class"), "{{class}}")], "none"),
            Panel("Moves at once: needed and possible", "What keeps up with the demand, and what workers can do.", [(f"max({series('brettwerk:ai_demand:sum')})", "needed"), (f"max({series('brettwerk_ai_slots')})", "possible")], "none"),
            Panel("Thinking time that waits", "In full, of everything that waits for a worker.", [(f"max({series('brettwerk_ai_backlog_seconds')})", "waits")], "s"),
            Panel("Moves and hints asked for at once", "Waiting or in hand. At the limit no new tables with computers are created.", [(f"max({series('brettwerk_ai_board_entries')})", "asked for")], "none", bounds=[(f"max({series('brettwerk_ai_board_entries_limit')})", "limit")]),
            Panel("Games whose computer is overdue", "It should have answered.", [(f"sum({series('brettwerk_ai_overdue_sessions')})", "games")], "none", limit=5),
        )),
        Row("What workers do", (
            Panel("Processes of workers", "How many there are, and how many think.", [(f"sum({series('brettwerk_ai_worker_slots')})", "there"), (f"sum({series('brettwerk_ai_worker_busy')})", "busy")], "none"),
            Panel("Share of the thinking time granted", "Of what levels ask for, by who waits.", [(f"min by (class) ({series('brettwerk:ai_think_share:avg5m')})", "{{class}}")], "percentunit"),
            Panel("Thinking time by result", "In seconds per second.", [(or_zero(growth("brettwerk_ai_thought_seconds_total", "outcome"), "outcome"), "{{outcome}}")], "none"),
            Panel("Requests by result", "Moves and hints asked for, per minute, by what became of them.", [(per_minute("brettwerk_ai_attempts_total", "outcome"), "{{outcome}}")], _PER_MINUTE),
            Panel("Requests that workers could not carry out", "Per minute. Another worker tries, unless none can.", [(per_minute("brettwerk_ai_attempts_total", "outcome", 'outcome=~"odd|unplayable"'), "{{outcome}}")], _PER_MINUTE),
            Panel("Moves played without thinking", "Per minute: no worker was alive, or none could compute them.", [(per_minute("brettwerk_ai_fallback_moves_total", "game"), "{{game}}")], _PER_MINUTE),
            Panel("Moves known from an equal position", "Per minute; nobody had to think about them.", [(per_minute("brettwerk_ai_cache_hits_total"), "known")], _PER_MINUTE),
            Panel("Messages that wake workers", "Per minute.", [(per_minute("brettwerk_ai_tickets_total"), "messages")], _PER_MINUTE),
        )),
        Row("By game and level", (
            Panel("Thinking time", "95 moves in a hundred take no longer.", [(quantile(0.95, "brettwerk_ai_think_seconds", "game, level"), "{{game}} {{level}}")], "s"),
            Panel("Requests by level", "Moves and hints per minute.", [(per_minute("brettwerk_ai_wants_total", "game, level"), "{{game}} {{level}}")], _PER_MINUTE),
            Panel("Wait for a worker by level", "95 requests in a hundred wait no longer.", [(quantile(0.95, "brettwerk_ai_level_wait_seconds", "game, level"), "{{game}} {{level}}")], "s"),
            Panel("Requests without a move", "Per minute, by what became of them.", [(per_minute("brettwerk_ai_level_attempts_total", "game, level, outcome", 'outcome!~"played|reviewed"'), "{{game}} {{level}} {{outcome}}")], _PER_MINUTE),
        )),
        Row("Games for statistics", (
            Panel("Unfinished runs and their workers", "Runs of games among computers.", [(f"max({series('brettwerk_runs_open')})", "runs"), (f"max({series('brettwerk_runs_workers')})", "workers")], "none"),
            Panel("Games of runs", "Per minute; failed ones are bugs.", [(per_minute("brettwerk_run_games_total", "game, outcome"), "{{game}} {{outcome}}")], _PER_MINUTE),
        )),
    ),
)  # fmt: skip
STORES_BOARD = Board(
    STORES,
    "Brettwerk: Redis",
    "The stores: running games (sessions), and moves asked of computers (broker).",
    (
        Row("Is it well?", (
            Panel("Answers", "Whether it answers the services that use it.", [(f"max by (store) ({series('brettwerk_redis_up')})", "{{store}}")], kind="stat", is_truth=True),
            Panel("Writes its file", "Whether it can write its append-only file.", [(f"min by (store) ({series('brettwerk_redis_aof_ok')})", "{{store}}")], kind="stat", is_truth=True),
            Panel("Makes its file small again", "Whether it could last rewrite it, for which it needs space on its disk.", [(f"min by (store) ({series('brettwerk_redis_rewrite_ok')})", "{{store}}")], kind="stat", is_truth=True),
            Panel("Running for", "Since it was started, or another server took its place.", [(f"time() - max by (store) ({series('brettwerk_redis_start_time_seconds')})", "{{store}}")], "s", "stat"),
            Panel("Keys thrown away", "For want of memory; each is a loss.", [(f"max by (store) ({series('brettwerk_redis_evicted_keys')})", "{{store}}")], "none", "stat", 1),
            Panel("Memory in use", "As a share of the limit.", [(f"max by (store) ({series('brettwerk:redis_memory:ratio')})", "{{store}}")], "percentunit", "stat", 0.7, needs="a limit of the store's memory"),
        )),
        Row("Memory and disk", (
            Panel("Memory", "In use; the limit is where writes are refused.", [(f"max by (store) ({series('brettwerk_redis_memory_bytes')})", "{{store}}")], "bytes", bounds=[(f"max by (store) ({series('brettwerk_redis_memory_limit_bytes')} > 0)", "{{store}}: limit")]),
            Panel("Size of the file", "Append-only: all that a restart needs.", [(f"max by (store) ({series('brettwerk_redis_aof_bytes')})", "{{store}}")], "bytes"),
            Panel("Space left on disks", "Of the archive, where that is a file.", [(f"min by (disk) ({series('brettwerk_disk_free_bytes')})", "{{disk}}")], "bytes", bounds=[(f"max by (disk) ({series('brettwerk_disk_size_bytes')})", "{{disk}}: size")], needs="an archive that is a file"),
        )),
        Row("Load", (
            Panel("CPU", "Of one core; it cannot use more.", [(f"max by (store) (rate({series('brettwerk_redis_cpu_seconds')}[$__rate_interval]))", "{{store}}")], "percentunit", limit=0.8),
            Panel("Commands", "Per second.", [(f"max by (store) (rate({series('brettwerk_redis_commands')}[$__rate_interval]))", "{{store}}")], "ops"),
            Panel("Time until it answers", "99 questions in a hundred take no longer.", [(quantile(0.99, "brettwerk_redis_round_trip_seconds", "store"), "{{store}}")], "s"),
            Panel("Connections", "At the limit further ones are refused.", [(f"max by (store) ({series('brettwerk_redis_clients')})", "{{store}}")], "none", bounds=[(f"max by (store) ({series('brettwerk_redis_clients_limit')})", "{{store}}: limit")]),
        )),
    ),
)  # fmt: skip
BOARDS = (OVERVIEW, PLAYERS_BOARD, SERVICES_BOARD, COMPUTERS_BOARD, STORES_BOARD)


def text(board: Board) -> str:
    """Return a board's file, with a panel a line."""
    made = board.json()
    panels = ",\n".join(f"  {json.dumps(panel)}" for panel in made.pop("panels"))
    return f'{json.dumps(made, indent=1)[:-2]},\n "panels": [\n{panels}\n ]\n}}\n'


def file(board: Board) -> Path:
    """Return where it lies."""
    return FOLDER / f"{board.uid}.json"


if __name__ == "__main__":
    for one in BOARDS:
        file(one).write_text(text(one))
