-- The cases of run ?1 that expectations excused until a day that is over: known
-- failures, and failures that their expectation no longer excuses.
SELECT outcome.name,
       substr(message, instr(message, CASE outcome.status WHEN 'xfail'
              THEN '; until ' ELSE 'it expired after ' END)
              + CASE outcome.status WHEN 'xfail' THEN 8 ELSE 17 END, 10) AS day
FROM outcome JOIN detail ON detail.plan = outcome.plan
WHERE outcome.run = ?1
  AND (message LIKE '%; not the expectation at %: it expired after %'
       OR outcome.status = 'xfail' AND message LIKE '%; until %')
  AND day GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'
  AND day < date('now')
ORDER BY outcome.plan
