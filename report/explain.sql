-- What is wrong in run ?1, the smallest case first (the fewest units, then the shortest program), with its cause:
-- the narrowest deviation that explains it; the status, where no value was
-- judged, or form, where a result's type or shape is wrong; where all wrong
-- units are measured, that their accuracy falls short.
WITH failed AS (
    SELECT outcome.*, detail.command, detail.program,
           CASE outcome.status WHEN 'xfail'
                THEN substr(detail.message, instr(detail.message, '): ') + 3)
                ELSE detail.message END AS message,
           CASE outcome.status WHEN 'xfail'
                THEN substr(detail.message, 1, instr(detail.message, ' (') - 1)
                ELSE outcome.status END AS own
    FROM outcome LEFT JOIN detail ON detail.plan = outcome.plan
    WHERE outcome.run = ?1 AND (outcome.failure OR outcome.status = 'xfail')),
named AS (
    SELECT failed.*, cause.name AS deviation, cause.text AS text,
           (SELECT count(*) FROM wrong WHERE wrong.plan = failed.plan) AS kept,
           (SELECT count(wrong.error) FROM wrong
            WHERE wrong.plan = failed.plan) AS errors,
           (SELECT count(wrong.share) FROM wrong
            WHERE wrong.plan = failed.plan) AS shares,
           -- Of all units: of the wrong ones only the first are kept.
           abs(failed.error) AS ulps,
           (SELECT max(abs(wrong.share)) FROM wrong
            WHERE wrong.plan = failed.plan) AS bounds
    FROM failed LEFT JOIN cause ON cause.plan = failed.plan AND cause.n = 0)
SELECT CASE WHEN deviation IS NOT NULL THEN deviation
            WHEN own <> 'fail' THEN own
            WHEN coalesce(bad, 0) = 0 THEN 'form'
            WHEN kept > 0 AND errors = kept THEN 'accuracy'
            WHEN kept > 0 AND shares = kept THEN 'accumulation'
            ELSE 'unexplained' END AS cause,
       text, name, op, coalesce(type, ''), units, bad, status = 'xfail', ulps,
       bounds, command, own, message, worst_input, plan,
       coalesce(flags, 0)
FROM named
ORDER BY units IS NULL, units, program IS NULL, length(program), length(name),
         name
