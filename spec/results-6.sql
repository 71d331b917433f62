-- results-6.sql - what brings a database of version 6 to version 7 (results.sql).
--
-- SPDX-License-Identifier: Apache-2.0
--
-- What was not recorded has no row.

CREATE TABLE identity (
    run INTEGER NOT NULL REFERENCES run (id),
    member TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (run, member)
) WITHOUT ROWID;
INSERT INTO identity (run, member, value)
    SELECT run, 'backend', name FROM backend
    UNION ALL SELECT run, 'backend_version', version FROM backend
    UNION ALL SELECT run, 'backend_options', options FROM backend
    UNION ALL SELECT id, 'profile', profile FROM run
    UNION ALL SELECT id, 'tier', tier FROM run WHERE tier IS NOT NULL
    UNION ALL SELECT id, 'filter', coalesce(filter, '') FROM run
    UNION ALL SELECT id, 'seed', seed FROM run;
