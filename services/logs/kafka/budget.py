"""A bound on what is sent and not yet acknowledged; kafka-python itself has none."""

import threading
import time


class Budget:
    """Counts records and bytes in flight; one record above the bound may go alone."""

    def __init__(self, records: int, size: int) -> None:
        self._records = records
        self._size = size
        self._used_records = 0
        self._used_size = 0
        self._changed = threading.Condition()

    def acquire(self, size: int, deadline: float) -> bool:
        """Take room for one record, waiting for it until the deadline (monotonic)."""
        with self._changed:
            while not self._fits(size):
                remaining = deadline - time.monotonic()
                if remaining <= 0:
                    return False
                self._changed.wait(remaining)
            self._used_records += 1
            self._used_size += size
            return True

    def release(self, size: int) -> None:
        """Give the room of one record back."""
        with self._changed:
            self._used_records -= 1
            self._used_size -= size
            self._changed.notify_all()

    @property
    def used(self) -> tuple[int, int]:
        """Return the records and bytes in flight."""
        with self._changed:
            return self._used_records, self._used_size

    def _fits(self, size: int) -> bool:
        if self._used_records == 0:
            return True
        return self._used_records < self._records and self._used_size + size <= self._size
