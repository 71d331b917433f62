-- results-3.sql - what brings a database of version 3 to version 4 (results.sql).
--
-- SPDX-License-Identifier: Apache-2.0

ALTER TABLE run ADD COLUMN shard INTEGER;
ALTER TABLE run ADD COLUMN shards INTEGER;
ALTER TABLE run ADD COLUMN whole INTEGER;
ALTER TABLE plan ADD COLUMN place INTEGER;
ALTER TABLE plan ADD COLUMN shard INTEGER;
