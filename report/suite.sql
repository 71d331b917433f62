-- The cases of file ?2 in run ?1; columns of report_record.def.
SELECT plan.id AS plan,
       plan.name || CASE plan.variant WHEN 1 THEN '#constant' ELSE '' END
           AS name,
       op.name AS op, '' AS type, coalesce(status.name, 'missing') AS status,
       result.attempt, result.time AS time_ns, result.units, result.bad, result.special, result.error,
       detail.message, detail.requirements, detail.command, detail.at,
       detail.inputs, detail.program, result.correct,
       result.flags
FROM run
JOIN plan ON plan.id >= run.plan_first
         AND plan.id < run.plan_first + run.plan_count
JOIN op ON op.id = plan.op
LEFT JOIN result ON result.plan = plan.id
LEFT JOIN status ON status.id = result.status
LEFT JOIN detail ON detail.plan = plan.id
WHERE run.id = ?1 AND plan.file = (SELECT id FROM file WHERE name = ?2)
ORDER BY plan.id
