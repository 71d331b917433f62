-- The worst of run ?1's accumulations by operation and element type, as a part of
-- what they may be off.
SELECT op.name, coalesce(type.name, ''), max(abs(result.share)), result.share,
       result.worst_input
FROM run
JOIN result ON result.plan >= run.plan_first
           AND result.plan < run.plan_first + run.plan_count
JOIN plan ON plan.id = result.plan
JOIN op ON op.id = plan.op
LEFT JOIN type ON type.id = plan.type
WHERE run.id = ?1 AND result.share IS NOT NULL
GROUP BY op.name, type.name
ORDER BY op.name, type.name
