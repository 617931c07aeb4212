-- The log, format 1 (pruning.sql makes it format 2). Rows are only ever added; the exceptions are
-- redaction, which empties a body and says so in the attributes of its record, and the pruning of a
-- queue whose records another log has. Safe to run twice, by two processes at once.
BEGIN IMMEDIATE;

-- One row a repository key: where its next record goes, and the stamp of its last one.
CREATE TABLE IF NOT EXISTS partition (
  id            INTEGER PRIMARY KEY,
  key           TEXT    NOT NULL UNIQUE,
  next_position INTEGER NOT NULL,
  last_recorded INTEGER NOT NULL            -- microseconds since 1970, UTC, like all times here
) STRICT;

-- `sequence` is the order of append over all partitions, without holes.
CREATE TABLE IF NOT EXISTS record (
  sequence     INTEGER PRIMARY KEY,
  partition_id INTEGER NOT NULL REFERENCES partition (id),
  position     INTEGER NOT NULL,
  recorded_at  INTEGER NOT NULL,
  id           TEXT    NOT NULL,
  source       TEXT    NOT NULL,
  type         TEXT    NOT NULL,
  time         INTEGER,
  content_type TEXT    NOT NULL,
  attributes   TEXT    NOT NULL,            -- JSON object of strings
  digest       TEXT    NOT NULL,            -- SHA-256 of the body as received, also once redacted
  size         INTEGER NOT NULL,            -- bytes of the body, not compressed
  UNIQUE (partition_id, position),
  UNIQUE (partition_id, id)
) STRICT;

-- Keyed by the sequence, not by (partition, position): that is the rowid, so that a body is added
-- at the end of its own table and needs no index.
CREATE TABLE IF NOT EXISTS body (
  sequence INTEGER PRIMARY KEY REFERENCES record (sequence),
  encoding TEXT NOT NULL CHECK (encoding IN ('raw', 'zlib')),
  data     BLOB NOT NULL
) STRICT;

PRAGMA application_id = 1397247047;         -- "SHLG"
PRAGMA user_version = 1;
COMMIT;
