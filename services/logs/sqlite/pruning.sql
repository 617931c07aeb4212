-- What a queue in front of another log adds, format 2: memory of the records that were handed on and
-- pruned. Empty in a log that keeps everything. Safe to run twice, by two processes at once.
BEGIN IMMEDIATE;

-- Enough of a pruned record to recognise it when it comes again.
CREATE TABLE IF NOT EXISTS remembered (
  sequence     INTEGER PRIMARY KEY,
  partition_id INTEGER NOT NULL REFERENCES partition (id),
  position     INTEGER NOT NULL,
  recorded_at  INTEGER NOT NULL,
  id           TEXT    NOT NULL,
  digest       TEXT    NOT NULL,            -- SHA-256 of the body as received
  UNIQUE (partition_id, id)
) STRICT;

-- One row: how far pruning has looked, and how many records it moved and remembers still.
CREATE TABLE IF NOT EXISTS pruned (
  id         INTEGER PRIMARY KEY CHECK (id = 1),
  upto       INTEGER NOT NULL,
  records    INTEGER NOT NULL,
  remembered INTEGER NOT NULL
) STRICT;
INSERT OR IGNORE INTO pruned (id, upto, records, remembered) VALUES (1, 0, 0, 0);

PRAGMA user_version = 2;
COMMIT;
