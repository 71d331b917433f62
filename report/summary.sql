-- Run ?1 by operation, element type and status.  The worst error's own sign
-- comes along with its magnitude (a bare column beside max()).
SELECT op.name, coalesce(type.name, ''), coalesce(result.status, 14),
       count(*), sum(result.units), sum(result.correct), sum(result.special),
       max(abs(result.error)), result.error, result.worst_input,
       sum(CASE WHEN result.correct IS NOT NULL THEN result.units END),
       sum(result.plan IS NOT NULL AND result.units IS NULL)
FROM run
JOIN plan ON plan.id >= run.plan_first
         AND plan.id < run.plan_first + run.plan_count
JOIN op ON op.id = plan.op
LEFT JOIN type ON type.id = plan.type
LEFT JOIN result ON result.plan = plan.id
WHERE run.id = ?1
GROUP BY op.name, type.name, coalesce(result.status, 14)
ORDER BY op.name, type.name, 3
