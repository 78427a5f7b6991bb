"""The alerts, each with what it means; `python -m deploy.observe.alerts` writes the rules file that Prometheus reads.

They are about what players notice, and about what they will notice soon. Each has a page in docs/runbooks, and a panel that shows
what it is about.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from deploy.observe.panels import COMPUTERS, FIRST, PLAYERS, RUNBOOKS, SERVICES, STORES, link

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / "deploy" / "chart" / "files" / "rules" / "alerts.yaml"


@dataclass(frozen=True, slots=True)
class Alert:
    """An alert. `page` wakes somebody, `ticket` waits for the morning.

    `incident` says whether it names the cause of what others complain of, or may be a symptom of such a cause: one rule of the
    Alertmanager (alertmanager.yaml) mutes symptoms while a cause of the same namespace is known, so that there is one page.
    """

    name: str
    expression: str
    lasts: str
    severity: str
    says: str
    panel: tuple[str, str]
    """The panel that shows it: the `uid` of a dashboard, and the title of a panel there."""
    incident: str = ""


ALERTS = (
    Alert(
        "BrettwerkCallsFail",
        'brettwerk:calls_failed:ratio5m{service="gateway"} > 0.02',
        "2m",
        "page",
        "{{ $value | humanizePercentage }} of what players ask for fails.",
        (SERVICES, "Calls that fail"),
        incident="symptom",
    ),
    Alert(
        "BrettwerkActionsSlow",
        "brettwerk:act_duration_seconds:p99_5m > 0.5",
        "10m",
        "page",
        "One action in a hundred takes {{ $value | humanizeDuration }} or longer.",
        (PLAYERS, "Time until an action is answered"),
        incident="symptom",
    ),
    Alert(
        "BrettwerkServiceMissing",
        # Of each namespace that had any process lately: another release in the same Prometheus must not hide it.
        " or ".join(
            "label_replace(group by (namespace) (last_over_time(brettwerk_build_info[6h]))"
            f' unless on (namespace) group by (namespace) (brettwerk_build_info{{service="{service}"}}),'
            f' "service", "{service}", "", "")'
            for service in ("gateway", "session", "rules", "ai", "worker", "players")
        ),
        "1m",
        "page",
        "No {{ $labels.service }} process reports metrics.",
        (SERVICES, "Processes and their releases"),
        incident="cause",
    ),
    Alert(
        "BrettwerkStoreDown",
        "max by (namespace, store) (brettwerk_redis_up) == 0",
        "30s",
        "page",
        "The Redis for {{ $labels.store }} does not answer.",
        (STORES, "Answers"),
        incident="cause",
    ),
    Alert(
        "BrettwerkStoreCannotWrite",
        "min by (namespace, store) (brettwerk_redis_aof_ok) == 0",
        "1m",
        "page",
        "The Redis for {{ $labels.store }} cannot write its file: a restart would lose games.",
        (STORES, "Writes its file"),
        incident="cause",
    ),
    Alert(
        "BrettwerkReplicaAway",
        "sum by (namespace) (increase(brettwerk_store_unreplicated_total[5m])) > 10",
        "2m",
        "page",
        "The replicas of the Redis for sessions are not keeping up: a failover now would lose moves.",
        (SERVICES, "Actions that no replica had in time"),
        incident="symptom",
    ),
    Alert(
        "BrettwerkLoopLate",
        "max by (namespace, service) (brettwerk_loop_late_seconds) > 2",
        "5m",
        "ticket",
        "A {{ $labels.service }} process is busy with one thing for {{ $value | humanizeDuration }} at a time: all others wait.",
        (SERVICES, "Longest stall of a process"),
        incident="symptom",
    ),
    Alert(
        "BrettwerkResultsWait",
        "max by (namespace) (brettwerk_results_oldest_wait_seconds) > 1800",
        "10m",
        "ticket",
        "A game that ended {{ $value | humanizeDuration }} ago has not reached its players' profiles.",
        (PLAYERS, "Longest wait for profiles"),
        incident="symptom",
    ),
    Alert(
        "BrettwerkNotificationsFail",
        'sum by (namespace, channel) (increase(brettwerk_notifications_total{channel!="webhook",outcome="failed"}[30m])) > 10'
        " and sum by (namespace, channel)"
        ' (increase(brettwerk_notifications_total{channel!="webhook",outcome="failed"}[30m])) > 0.5 *'
        ' sum by (namespace, channel) (increase(brettwerk_notifications_total{channel!="webhook",outcome=~"sent|failed"}[30m]))'
        " or max by (namespace, channel) (brettwerk_notifications_oldest_wait_seconds) > 1800",
        "15m",
        "ticket",
        "Messages by {{ $labels.channel }} are not reaching players.",
        (PLAYERS, "Messages to players"),
        incident="symptom",
    ),
    Alert(
        "BrettwerkArchiveDown",
        "max by (namespace) (brettwerk_archive_up) == 0",
        "2m",
        "page",
        "The archive's database does not answer: games go on, and those that end wait.",
        (FIRST, "Archive answers"),
        incident="cause",
    ),
    Alert(
        "BrettwerkArchiveBehind",
        "max by (namespace) (brettwerk_archive_oldest_wait_seconds) > 1800",
        "5m",
        "ticket",
        "A game that ended {{ $value | humanizeDuration }} ago is not in the archive.",
        (PLAYERS, "Longest wait for the archive"),
        incident="symptom",
    ),
    Alert(
        "BrettwerkCertificateExpires",
        "min by (namespace) (brettwerk_certificate_expires_timestamp_seconds > 0) - time() < 7 * 86400",
        "15m",
        "page",
        "A certificate expires in {{ $value | humanizeDuration }}: after that, services cannot reach each other.",
        (FIRST, "Certificates are valid for"),
    ),
    Alert(
        "BrettwerkStoreFillsUp",
        "brettwerk:redis_memory:ratio > 0.7",
        "5m",
        "page",
        "The Redis for {{ $labels.store }} has {{ $value | humanizePercentage }} of its memory in use.",
        (STORES, "Memory in use"),
        incident="cause",
    ),
    Alert(
        "BrettwerkDiskFillsUp",
        "min by (namespace, disk) (brettwerk_disk_free_bytes / brettwerk_disk_size_bytes) < 0.1"
        " or min by (namespace, disk) (brettwerk_disk_free_bytes) < 256 * 1024 * 1024"
        ' or min by (namespace, disk) (label_replace(brettwerk_redis_rewrite_ok, "disk", "$1", "store", "(.*)")) == 0',
        "2m",
        "page",
        "The disk of {{ $labels.disk }} has little space left: once it is full, nobody can act.",
        (STORES, "Space left on disks"),
        incident="cause",
    ),
    Alert(
        "BrettwerkStoreLosesKeys",
        "max by (namespace, store) (increase(brettwerk_redis_evicted_keys[10m])) > 0",
        "0s",
        "page",
        "The Redis for {{ $labels.store }} is evicting keys: games or requests are being lost.",
        (STORES, "Keys thrown away"),
    ),
    Alert(
        "BrettwerkPlayersWaitForComputers",
        'max by (namespace, class) (brettwerk_ai_oldest_wait_seconds{class=~"person|hint"}) > 5'
        ' or brettwerk:ai_wait_seconds:p95_5m{class=~"person|hint"} > 3',
        "2m",
        "page",
        "People wait {{ $value | humanizeDuration }} for a computer to start thinking ({{ $labels.class }}).",
        (COMPUTERS, "Longest wait for a worker"),
        incident="symptom",
    ),
    Alert(
        "BrettwerkNoWorkers",
        "max by (namespace) (brettwerk_ai_workers) == 0 and on (namespace) brettwerk:ai_demand:sum > 0",
        "1m",
        "page",
        "No worker is alive: computers do not move, and soon will play without thinking.",
        (COMPUTERS, "Workers"),
        incident="cause",
    ),
    Alert(
        "BrettwerkTooFewWorkers",
        "brettwerk:ai_load:ratio > 1.2",
        "15m",
        "ticket",
        "{{ $value | humanize }} times as much thinking is wanted as workers can do.",
        (COMPUTERS, "Demand over capacity"),
        incident="symptom",
    ),
    Alert(
        "BrettwerkBoardFillsUp",
        "max by (namespace) (brettwerk_ai_board_entries) > 0.85 * max by (namespace) (brettwerk_ai_board_entries_limit)",
        "1m",
        "page",
        "{{ $value | humanize }} computer moves are wanted at once: soon no new tables with computers are created.",
        (COMPUTERS, "Moves and hints asked for at once"),
        incident="symptom",
    ),
    Alert(
        "BrettwerkThinkingShortened",
        'brettwerk:ai_think_share:avg5m{class="person"} < 0.5',
        "10m",
        "ticket",
        "Computers think for {{ $value | humanizePercentage }} of the time that their levels ask for.",
        (COMPUTERS, "Share of the thinking time granted"),
        incident="symptom",
    ),
    Alert(
        "BrettwerkThinkingWasted",
        "brettwerk:ai_wasted:ratio10m > 0.1"
        " and on (namespace) sum by (namespace) (rate(brettwerk_ai_thought_seconds_total[10m])) > 0.2",
        "10m",
        "ticket",
        "{{ $value | humanizePercentage }} of what computers think is not played.",
        (COMPUTERS, "Thinking time by result"),
    ),
    Alert(
        "BrettwerkOddOrders",
        'sum by (namespace) (increase(brettwerk_ai_attempts_total{outcome=~"odd|unplayable"}[10m])) > 3',
        "0s",
        "ticket",
        "Workers could not carry out {{ $value | humanize }} orders in ten minutes.",
        (COMPUTERS, "Requests that workers could not carry out"),
    ),
    Alert(
        "BrettwerkComputersOverdue",
        "max by (namespace) (brettwerk_ai_overdue_sessions) > 5 unless on (namespace) brettwerk:ai_load:ratio > 0.9",
        "2m",
        "page",
        "{{ $value }} games wait for a computer player that should have answered, though there is room to think.",
        (COMPUTERS, "Games whose computer is overdue"),
        incident="symptom",
    ),
    Alert(
        "BrettwerkComputersGiveUp",
        "sum by (namespace) (increase(brettwerk_ai_fallback_moves_total[10m])) > 0",
        "0s",
        "ticket",
        "{{ $value | humanize }} moves in ten minutes were played without thinking.",
        (COMPUTERS, "Moves played without thinking"),
        incident="symptom",
    ),
    Alert(
        "BrettwerkWatchesBreak",
        'sum by (namespace) (rate(brettwerk_watch_resumes_total{kind="resumed"}[5m]))'
        " > 0.01 * (sum by (namespace) (brettwerk:watch_streams:sum) > 20)",
        "5m",
        "ticket",
        "More than one watch in a hundred breaks every second.",
        (PLAYERS, "Watches begun"),
        incident="symptom",
    ),
    Alert(
        "BrettwerkNobodyCanPlay",
        "sum by (namespace) (brettwerk:watch_streams:sum) > 20"
        ' and on (namespace) sum by (namespace) (rate(brettwerk_actions_total{seat_kind="person"}[10m])) == 0',
        "5m",
        "page",
        "{{ $value }} people are watching, but nobody has acted for ten minutes.",
        (PLAYERS, "Actions by who acts"),
        incident="symptom",
    ),
    Alert(
        "BrettwerkShardsWithoutOwner",
        "16 - sum by (namespace) (brettwerk_shards_owned) > 0",
        "30s",
        "page",
        "{{ $value | humanize }} of 16 shards have no session process: nobody can act in their games.",
        (SERVICES, "Shards by process"),
        incident="symptom",
    ),
    Alert(
        "BrettwerkShardsChangeOwners",
        'sum by (namespace) (increase(brettwerk_shard_changes_total{kind=~"claimed|received"}[10m])) > 96',
        "10m",
        "ticket",
        "Session processes took over shards {{ $value | humanize }} times in ten minutes.",
        (SERVICES, "Shards that change owners"),
        incident="symptom",
    ),
    Alert(
        "BrettwerkVersionsMixed",
        "count by (namespace, service) (count by (namespace, service, version) (brettwerk_build_info)) > 1",
        "1h",
        "ticket",
        "Several versions of {{ $labels.service }} have been running for an hour.",
        (SERVICES, "Processes and their releases"),
    ),
    Alert(
        "BrettwerkGameLeftOut",
        "max by (namespace, game) (brettwerk_games_left_out) > 0",
        "1m",
        "ticket",
        "The game {{ $labels.game }} is left out, since its package is broken.",
        (FIRST, "Games left out"),
    ),
    Alert(
        "BrettwerkOrdersFail",
        'sum by (namespace, game) (increase(brettwerk_orders_total{outcome="failed"}[10m])) > 0'
        ' or sum by (namespace, game) (increase(brettwerk_orders_total{outcome="unfollowed"}[10m])) > 3',
        "0s",
        "ticket",
        "The server could not follow orders of players in {{ $labels.game }} {{ $value | humanize }} times in ten minutes.",
        (PLAYERS, "Orders that could not be followed"),
    ),
    Alert(
        "BrettwerkRestarts",
        "sum by (namespace, pod, instance) (changes(process_start_time_seconds[1h]) and on (namespace, instance)"
        " brettwerk_build_info) > 3",
        "0s",
        "ticket",
        "The process {{ or $labels.pod $labels.instance }} was started {{ $value }} times in an hour.",
        (SERVICES, "Restarts by process"),
        incident="symptom",
    ),
    Alert(
        "BrettwerkReplicasMissing",
        'sum by (namespace, deployment) (kube_deployment_status_replicas_unavailable{deployment=~".*brettwerk.*"}) > 0'
        ' or sum by (namespace, statefulset) (kube_statefulset_replicas{statefulset=~".*brettwerk.*"}'
        " - on (namespace, statefulset) kube_statefulset_status_replicas_ready) > 0",
        "15m",
        "ticket",
        "{{ $value }} pods of {{ or $labels.deployment $labels.statefulset }} are missing.",
        (SERVICES, "Pods wanted and missing"),
        incident="symptom",
    ),
    Alert(
        "BrettwerkPoolAtMax",
        "max by (namespace, horizontalpodautoscaler)"
        ' (kube_horizontalpodautoscaler_status_desired_replicas{horizontalpodautoscaler=~".*brettwerk.*"})'
        " >= on (namespace, horizontalpodautoscaler)"
        " max by (namespace, horizontalpodautoscaler) (kube_horizontalpodautoscaler_spec_max_replicas > 1)",
        "15m",
        "ticket",
        "{{ $labels.horizontalpodautoscaler }} has been at its maximum of {{ $value }} pods for a quarter of an hour.",
        (SERVICES, "Autoscalers and their maximum"),
    ),
    Alert(
        "BrettwerkBackupOld",
        'time() - max by (namespace, cronjob) (kube_cronjob_status_last_successful_time{cronjob=~".*brettwerk.*-backup"})'
        " > 36 * 3600 or time() - max by (namespace, marker) (brettwerk_backup_timestamp_seconds > 0) > 36 * 3600",
        "10m",
        "ticket",
        "The newest backup that could be read back is {{ $value | humanizeDuration }} old.",
        (FIRST, "Newest backup"),
    ),
)


def rules() -> dict[str, Any]:
    """Return the alerts as Prometheus wants them."""
    made = [
        {
            "alert": alert.name,
            "expr": alert.expression,
            "for": alert.lasts,
            "labels": {"severity": alert.severity} | ({"incident": alert.incident} if alert.incident else {}),
            "annotations": {
                "summary": alert.says,
                "runbook_url": f"{RUNBOOKS}/{alert.name}.md",
                "dashboard_url": link(*alert.panel) + "&var-namespace={{ $labels.namespace }}",
            },
        }
        for alert in ALERTS
    ]
    return {"groups": [{"name": "brettwerk-alerts", "rules": made}]}


def text() -> str:
    """Return the rules file."""
    made = yaml.safe_dump(rules(), sort_keys=False, width=1000, allow_unicode=True)
    return "# Made by `python -m deploy.observe.alerts`.\n" + made


if __name__ == "__main__":
    FILE.write_text(text())
