-- results-5.sql - what brings a database of version 5 to version 6 (results.sql).
--
-- SPDX-License-Identifier: Apache-2.0

ALTER TABLE sweep_part ADD COLUMN breaks INTEGER;
ALTER TABLE sweep_part ADD COLUMN break_input INTEGER;
ALTER TABLE sweep_part ADD COLUMN first_result INTEGER;
ALTER TABLE sweep_part ADD COLUMN last_result INTEGER;
