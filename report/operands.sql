-- The inputs of wrong unit ?2 of planned case ?1.
SELECT * FROM operand WHERE plan = ?1 AND n = ?2 ORDER BY k
