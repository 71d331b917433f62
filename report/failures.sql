-- The failures of run ?1 by operation and element type, at most ?2 of them:
-- first one of each operation, then a second one of it, of another type if it
-- can be, and so on; what was never run comes last.  With ?3 one of each operation and type is there
-- whatever ?2 says, and the last column is 0 where it is beyond ?2.
WITH failed AS (
    SELECT *, row_number() OVER (PARTITION BY op, type
                                 ORDER BY status = 'missing', plan) AS nth
    FROM outcome WHERE run = ?1 AND failure),
turned AS (
    SELECT *, row_number() OVER (PARTITION BY op
                                 ORDER BY status = 'missing', nth, type, plan)
              AS turn
    FROM failed),
spread AS (
    SELECT *, row_number() OVER (ORDER BY status = 'missing', turn, op, plan)
              AS place
    FROM turned)
SELECT outcome.plan, outcome.name, outcome.op, coalesce(outcome.type, '') AS type,
       outcome.status, outcome.attempt, outcome.time AS time_ns,
       outcome.units,
       outcome.bad, outcome.special, outcome.error,
       detail.message, detail.requirements, detail.command, detail.at,
       detail.inputs, detail.program, outcome.correct,
       outcome.nth = 1, outcome.place <= ?2,
       outcome.flags
FROM spread AS outcome LEFT JOIN detail ON detail.plan = outcome.plan
WHERE outcome.place <= ?2 OR (?3 AND outcome.nth = 1)
ORDER BY outcome.status = 'missing', outcome.op, outcome.type, outcome.plan
