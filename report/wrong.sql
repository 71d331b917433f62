-- The wrong units of planned case ?1.
SELECT * FROM wrong WHERE plan = ?1 ORDER BY n
