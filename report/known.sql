-- The cases of run ?1 that are wrong as the expectations say, by operation and
-- reason: "fail (REASON): ..." is their message.
SELECT outcome.op,
       CASE WHEN instr(message, '): ') > 0
            THEN substr(message, 1, instr(message, '): '))
            ELSE coalesce(message, '') END AS reason,
       outcome.name
FROM outcome LEFT JOIN detail USING (plan)
WHERE run = ?1 AND status = 'xfail'
ORDER BY outcome.op, reason, plan
