-- The cases of run ?1 in a form whose plain case was right in it: the form, the
-- name, and whether it failed.
WITH named AS MATERIALIZED (
    SELECT name, status, failure FROM outcome WHERE run = ?1)
SELECT substr(formed.name, instr(formed.name, '#') + 1), formed.name,
       formed.failure
FROM named AS formed
JOIN named AS plain
  ON plain.name = substr(formed.name, 1, instr(formed.name, '#') - 1)
WHERE instr(formed.name, '#') > 0 AND plain.status IN ('pass', 'warn')
ORDER BY formed.name
