-- What run ?1 got right with a remark: by remark, in how many cases and units.
SELECT remark.name, count(*), sum(remark.units)
FROM run
JOIN remark ON remark.plan >= run.plan_first
           AND remark.plan < run.plan_first + run.plan_count
WHERE run.id = ?1
GROUP BY remark.name
ORDER BY remark.name
