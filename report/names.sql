-- Every case of run ?1 by its name; columns as failures.sql.
SELECT outcome.plan, outcome.name, outcome.op, coalesce(outcome.type, '') AS type,
       outcome.status, outcome.attempt, outcome.time AS time_ns,
       outcome.units,
       outcome.bad, outcome.special, outcome.error,
       detail.message, detail.requirements, detail.command, detail.at,
       detail.inputs, detail.program, outcome.correct,
       outcome.flags
FROM outcome LEFT JOIN detail ON detail.plan = outcome.plan
WHERE outcome.run = ?1
ORDER BY outcome.name
