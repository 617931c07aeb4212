"""Every metric of Shipledger: its name, unit, labels and meaning, and nothing else.

Units are base units (seconds, bytes). A label that comes from outside goes through `bounded`, so
that nobody can make the number of time series grow without end. The registry is given: there is no
global one, and two of these can live in one process.
"""

import math
import threading
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

_LATENCIES: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
_BATCHES: Final = (1, 2, 5, 10, 25, 50, 100, 250, 500)
_FETCHES: Final = (0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600)
_DISTINCT_VALUES: Final = 100
_PARTITION: Final = ("projection", "partition")


class Metrics:
    """The metrics of one process, registered with one registry."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.registry: Final = registry
        self._seen: dict[str, set[str]] = {}
        self._lock = threading.Lock()
        self._describe_deliveries(registry)
        self._describe_appends(registry)
        self._describe_refusals(registry)
        self._describe_forwarding(registry)
        self._describe_projections(registry)
        self._describe_workers(registry)
        self._describe_findings(registry)
        self._describe_mirror(registry)

    def _describe_deliveries(self, registry: CollectorRegistry) -> None:
        self.deliveries = Counter(
            "shipledger_deliveries_total",
            "Webhook deliveries with a valid signature, by what became of them: stored, "
            "duplicate, conflict (kept beside the first), not_stored (a kind that nothing uses), "
            "unavailable (answered 503).",
            ("event", "outcome"),
            registry=registry,
        )
        self.delivery_bytes = Counter(
            "shipledger_delivery_bytes_total",
            "Bytes of the bodies of deliveries with a valid signature.",
            registry=registry,
        )
        self.unknown_events = Counter(
            "shipledger_unknown_events_total",
            "Stored deliveries of an event that this version does not know.",
            ("event",),
            registry=registry,
        )
        self.unknown_actions = Counter(
            "shipledger_unknown_actions_total",
            "Stored deliveries of a known event with an action that this version does not know.",
            ("event", "action"),
            registry=registry,
        )
        self.untracked = Counter(
            "shipledger_untracked_deliveries_total",
            "Stored deliveries of a repository that is not among the tracked ones: it was renamed, "
            "or the configuration lacks it.",
            ("repository",),
            registry=registry,
        )

    def _describe_appends(self, registry: CollectorRegistry) -> None:
        self.append_seconds = Histogram(
            "shipledger_append_seconds",
            "Time that the log took to make one batch durable.",
            buckets=_LATENCIES,
            registry=registry,
        )
        self.append_records = Histogram(
            "shipledger_append_records",
            "Records that were made durable together.",
            buckets=_BATCHES,
            registry=registry,
        )
        self.queue_records = Gauge(
            "shipledger_ingest_queue_records",
            "Deliveries that wait for the log.",
            registry=registry,
        )

    def _describe_refusals(self, registry: CollectorRegistry) -> None:
        self.rejections = Counter(
            "shipledger_rejections_total",
            "Requests to the webhook address that were not accepted, by the error code answered.",
            ("reason",),
            registry=registry,
        )
        self.unavailable_first = Gauge(
            "shipledger_ingest_unavailable_first_timestamp_seconds",
            "Unix time of the first delivery answered 503 in the latest outage; 0 if there was "
            "none.",
            registry=registry,
        )
        self.unavailable_last = Gauge(
            "shipledger_ingest_unavailable_last_timestamp_seconds",
            "Unix time of the last delivery answered 503 in the latest outage; 0 if there was "
            "none.",
            registry=registry,
        )

    def _describe_forwarding(self, registry: CollectorRegistry) -> None:
        self.forwarded = Counter(
            "shipledger_forwarded_records_total",
            "Records of the local queue that Kafka has acknowledged, repetitions included.",
            registry=registry,
        )
        self.forward_failures = Counter(
            "shipledger_forward_failures_total",
            "Attempts to forward a batch that failed and were tried again.",
            registry=registry,
        )
        self.forward_waiting = Gauge(
            "shipledger_forward_waiting_records",
            "Records of the local queue that are not forwarded yet.",
            registry=registry,
        )
        self.forward_age = Gauge(
            "shipledger_forward_waiting_seconds",
            "Age of the oldest record of the local queue that is not forwarded yet; 0 if there is "
            "none.",
            registry=registry,
        )
        self.queue_free = Gauge(
            "shipledger_queue_disk_free_bytes",
            "Bytes that are free on the disk of the local queue.",
            registry=registry,
        )
        self.queue_held = Gauge(
            "shipledger_queue_records",
            "Records that the local queue holds whole, forwarded or not.",
            registry=registry,
        )
        self.queue_remembered = Gauge(
            "shipledger_queue_remembered_records",
            "Pruned records of which the local queue knows id and digest, to recognise them.",
            registry=registry,
        )
        self.queue_bytes = Gauge(
            "shipledger_queue_bytes",
            "Bytes of the local queue's file that are in use; the rest of it is used again.",
            registry=registry,
        )
        self.prune_failures = Counter(
            "shipledger_queue_prune_failures_total",
            "Rounds of pruning that failed; the next one goes on where this one stood.",
            registry=registry,
        )

    def _describe_workers(self, registry: CollectorRegistry) -> None:
        self.ready = Gauge(
            "shipledger_ready",
            "1 while /readyz of this process answers 200, else 0.",
            registry=registry,
        )
        self.worker_retries = Counter(
            "shipledger_worker_retries_total",
            "Batches that a worker had to try again because the read model was away.",
            ("projection",),
            registry=registry,
        )
        self.worker_partitions = Gauge(
            "shipledger_worker_partitions",
            "Partitions of the log that this worker feeds to a projection.",
            ("projection",),
            registry=registry,
        )
        self.worker_dropped = Counter(
            "shipledger_worker_redelivered_records_total",
            "Records that came again after they had been applied, and were dropped.",
            ("projection",),
            registry=registry,
        )

    def _describe_projections(self, registry: CollectorRegistry) -> None:
        self.projection_seconds = Histogram(
            "shipledger_projection_batch_seconds",
            "Time that a projection took for one batch, rows and checkpoint committed.",
            ("projection",),
            buckets=_LATENCIES,
            registry=registry,
        )
        self.projected = Counter(
            "shipledger_projected_records_total",
            "Records that a projection has taken in.",
            ("projection",),
            registry=registry,
        )
        self.lag_records = Gauge(
            "shipledger_projection_lag_records",
            "Records of the log that a projection has not taken in yet.",
            _PARTITION,
            registry=registry,
        )
        self.lag_seconds = Gauge(
            "shipledger_projection_lag_seconds",
            "Age of the oldest record that a projection has not taken in yet; 0 if there is none.",
            _PARTITION,
            registry=registry,
        )

        self.clock_ahead = Gauge(
            "shipledger_clock_ahead_seconds",
            "By how much the latest stamp of the log is later than this process's clock; 0 if it "
            "is not. A clock was ahead when records were stamped, or this one is behind.",
            registry=registry,
        )

    def _describe_findings(self, registry: CollectorRegistry) -> None:
        self.dead_letters = Gauge(
            "shipledger_dead_letters",
            "Records that are set aside because they could not be used.",
            ("projection",),
            registry=registry,
        )
        self.contradictions = Counter(
            "shipledger_contradictions_total",
            "Objects that contradict themselves, by what disagrees: merge (`merged_at` is a time "
            "and `merged` is false; they count as merged).",
            ("kind",),
            registry=registry,
        )
        self.roadmap_conflicts = Gauge(
            "shipledger_roadmap_conflicts",
            "Items of a roadmap that say something else than the facts (a ticked box on what is "
            "open, for one), by kind of drift; acknowledged ones are left out.",
            ("repository", "roadmap", "kind"),
            registry=registry,
        )
        self.decision_conflicts = Gauge(
            "shipledger_decision_conflicts",
            "Decisions about editions that stand, and were made without knowing of another one "
            "about the same.",
            ("repository",),
            registry=registry,
        )
        self.findings_age = Gauge(
            "shipledger_findings_age_seconds",
            "Time since the conflicts of roadmaps and of decisions were looked at; NaN, and these "
            "are absent, until they have been for the first time.",
            registry=registry,
        )
        self.findings_age.set(math.nan)

    def _describe_mirror(self, registry: CollectorRegistry) -> None:
        self.fetches = Counter(
            "shipledger_mirror_fetches_total",
            "Fetches of a repository's git remote, by what became of them: changed, unchanged, "
            "empty (no branch yet), failed, too_slow (ended at the time limit).",
            ("repository", "outcome"),
            registry=registry,
        )
        self.fetch_seconds = Histogram(
            "shipledger_mirror_fetch_seconds",
            "Time that a fetch took, with recording what it brought.",
            ("repository",),
            buckets=_FETCHES,
            registry=registry,
        )
        self.fetch_age = Gauge(
            "shipledger_mirror_good_fetch_age_seconds",
            "Time since the last fetch that went well began.",
            ("repository",),
            registry=registry,
        )

    def bounded(self, label: str, value: str) -> str:
        """Return a label's value from outside, or `other` once there are too many distinct ones."""
        with self._lock:
            seen = self._seen.setdefault(label, set())
            if value not in seen and len(seen) >= _DISTINCT_VALUES:
                return "other"
            seen.add(value)
            return value
