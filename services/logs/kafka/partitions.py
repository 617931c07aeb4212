"""Which partition a repository key lies in: our own rule, the same for every client and language.

    number = first 8 bytes of SHA-256(UTF-8 of the key), big-endian, modulo the partition count

Clients' own rules differ (murmur2 here, CRC there, "sticky" elsewhere), and one repository in two
partitions would have two orders. For the same reason the count of a topic never changes.
"""

import hashlib
from functools import lru_cache

from events.identity import RepositoryKey


@lru_cache(maxsize=4096)
def partition_of(key: RepositoryKey, count: int) -> int:
    """Return the number of the partition that holds this repository's records."""
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:8], "big") % count
