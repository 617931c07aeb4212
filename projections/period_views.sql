-- The counts of MODEL.md 4 by present knowledge, and the same by month of a named zone.
-- What a commit landed is among closed_without_merge here, as in GitHub's own search.
-- They read the views, so they need no change when another generation answers. A count is null
-- nowhere here: whether it is exact is told by the API.

CREATE OR REPLACE FUNCTION shipledger_period_counts(
    of_repository text, starts timestamptz, ends timestamptz
) RETURNS TABLE (
    opened bigint, merged bigint, closed_without_merge bigint, closed_unknown bigint,
    reopened bigint, open_at_start bigint, open_at_end bigint, opened_and_still_open bigint
) LANGUAGE sql STABLE AS $$
    WITH span AS (
        SELECT number, enter, state, valid_from,
               coalesce(valid_until, 'infinity'::timestamptz) AS valid_until
        FROM shipledger_states
        WHERE repository = of_repository AND valid_from < ends
    ), opening AS (
        SELECT number FROM span WHERE enter = 'opened' AND valid_from >= starts
    )
    SELECT
        (SELECT count(*) FROM opening),
        count(DISTINCT number) FILTER (WHERE enter = 'merged' AND valid_from >= starts),
        count(DISTINCT number) FILTER (
            WHERE state = 'closed' AND valid_from >= starts AND valid_until >= ends),
        count(DISTINCT number) FILTER (
            WHERE state = 'closed_unknown' AND valid_from >= starts AND valid_until >= ends),
        count(DISTINCT number) FILTER (
            WHERE state IN ('closed', 'closed_unknown') AND valid_from < starts
              AND valid_until >= starts AND valid_until < ends),
        count(DISTINCT number) FILTER (
            WHERE state = 'open' AND valid_from < starts AND valid_until >= starts),
        count(DISTINCT number) FILTER (WHERE state = 'open' AND valid_until >= ends),
        count(DISTINCT number) FILTER (
            WHERE state = 'open' AND valid_until >= ends
              AND number IN (SELECT number FROM opening))
    FROM span
$$;

-- One row a month of the zone that [starts, ends) touches; a month at either edge is cut there.
CREATE OR REPLACE FUNCTION shipledger_month_counts(
    of_repository text, starts timestamptz, ends timestamptz, zone text
) RETURNS TABLE (
    month timestamptz, opened bigint, merged bigint, closed_without_merge bigint,
    closed_unknown bigint, reopened bigint, open_at_start bigint, open_at_end bigint,
    opened_and_still_open bigint
) LANGUAGE sql STABLE AS $$
    SELECT local.first AT TIME ZONE zone, counted.*
    FROM generate_series(
            date_trunc('month', starts AT TIME ZONE zone), ends AT TIME ZONE zone,
            interval '1 month'
        ) AS local (first)
    CROSS JOIN LATERAL shipledger_period_counts(
        of_repository,
        greatest(starts, local.first AT TIME ZONE zone),
        least(ends, (local.first + interval '1 month') AT TIME ZONE zone)
    ) AS counted
    WHERE local.first AT TIME ZONE zone < ends
$$;
