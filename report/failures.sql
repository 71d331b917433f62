-- The failures of run ?1, by operation; what was never run comes last.
SELECT outcome.plan, outcome.name, outcome.op, coalesce(outcome.type, ''),
       outcome.status, outcome.attempt, outcome.time, outcome.units,
       outcome.bad, outcome.special, outcome.error,
       detail.message, detail.requirements, detail.command, detail.at,
       detail.inputs, detail.program, 0
FROM outcome LEFT JOIN detail ON detail.plan = outcome.plan
WHERE outcome.run = ?1 AND outcome.failure
ORDER BY outcome.status = 'missing', outcome.op, outcome.plan
