-- The case files of run ?1, and how many rows of each status each has.
SELECT file.name, coalesce(result.status, 14), count(*), sum(result.time)
FROM run
JOIN plan ON plan.id >= run.plan_first
         AND plan.id < run.plan_first + run.plan_count
JOIN file ON file.id = plan.file
LEFT JOIN result ON result.plan = plan.id
WHERE run.id = ?1
GROUP BY file.name, coalesce(result.status, 14)
ORDER BY file.name
