-- The wrong units of planned case ?1.
SELECT n, replica, output, place, type, got, want, low, high, accept, error,
       share
FROM wrong WHERE plan = ?1 ORDER BY n
