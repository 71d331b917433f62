-- results-2.sql - what brings a database of version 2 to version 3 (results.sql).
--
-- SPDX-License-Identifier: Apache-2.0

CREATE TABLE cause (
    plan INTEGER NOT NULL REFERENCES plan (id),
    n INTEGER NOT NULL,
    name TEXT NOT NULL,
    text TEXT NOT NULL,
    units INTEGER NOT NULL,
    moved INTEGER NOT NULL,
    exact INTEGER NOT NULL CHECK (exact IN (0, 1)),
    PRIMARY KEY (plan, n)
) WITHOUT ROWID;
