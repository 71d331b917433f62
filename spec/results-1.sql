-- results-1.sql - what brings a database of version 1 to version 2.
--
-- SPDX-License-Identifier: Apache-2.0

CREATE TABLE remark (
    plan INTEGER NOT NULL REFERENCES plan (id),
    name TEXT NOT NULL,
    units INTEGER NOT NULL,
    PRIMARY KEY (plan, name)
) WITHOUT ROWID;
