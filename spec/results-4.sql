-- results-4.sql - what brings a database of version 4 to version 5 (results.sql).
--
-- SPDX-License-Identifier: Apache-2.0

ALTER TABLE sweep ADD COLUMN hunt INTEGER NOT NULL DEFAULT 0
    CHECK (hunt IN (0, 1));
ALTER TABLE sweep_part ADD COLUMN worst_second INTEGER;
