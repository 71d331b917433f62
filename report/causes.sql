-- The deviations that explain what is wrong in the case ?1, the narrowest first.
SELECT * FROM cause WHERE plan = ?1 ORDER BY n
