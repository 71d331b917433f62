-- How the errors of run ?1 are spread, by operation and element type.
SELECT op.name, coalesce(type.name, ''), bin.bin, sum(bin.count)
FROM run
JOIN bin ON bin.plan >= run.plan_first
        AND bin.plan < run.plan_first + run.plan_count
JOIN plan ON plan.id = bin.plan
JOIN op ON op.id = plan.op
LEFT JOIN type ON type.id = plan.type
WHERE run.id = ?1
GROUP BY op.name, type.name, bin.bin
ORDER BY op.name, type.name, bin.bin
