-- The runs of a database, oldest first; a sweep is none.
SELECT run.id, run.uuid, run.started, run.finished, run.state,
       run.suite_version, run.case_set_hash, run.plan_hash, run.seed,
       run.filter, run.tier, run.jobs, run.profile, run.command, run.host,
       run.note, run.plan_first, run.plan_count AS planned,
       backend.name AS backend, backend.version AS backend_version,
       backend.path AS backend_path, backend.options AS backend_options,
       run.shard || '/' || run.shards || ' of ' || run.whole || ' cases'
           AS shard,
       run.profile_json
FROM run LEFT JOIN backend ON backend.run = run.id
WHERE run.id NOT IN (SELECT run FROM sweep)
ORDER BY run.id
