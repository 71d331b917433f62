-- version1.sql - two runs, recorded by a program of schema version 1 (commit 8feb1fe):
-- evil/zero_sign, which gives -0 for 0, and native, on three cases of Add.
--
-- SPDX-License-Identifier: Apache-2.0

PRAGMA application_id = 1098085217;
PRAGMA user_version = 1;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE status (          -- the rows of runner/verdict.def
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    failure INTEGER NOT NULL CHECK (failure IN (0, 1)),
    meaning TEXT NOT NULL
);
INSERT INTO status VALUES(1,'pass',0,'the result is right');
INSERT INTO status VALUES(2,'warn',0,'right, with a remark on its quality');
INSERT INTO status VALUES(3,'fail',1,'a wrong result');
INSERT INTO status VALUES(4,'unsupported',0,'the backend says that it does not do this');
INSERT INTO status VALUES(5,'crash',1,'the backend''s process died');
INSERT INTO status VALUES(6,'timeout',1,'no result within the time limit');
INSERT INTO status VALUES(7,'refused',1,'an error where a value was due');
INSERT INTO status VALUES(8,'accepted',1,'a value where an error was due');
INSERT INTO status VALUES(9,'wrong-class',1,'an error of another class than was due');
INSERT INTO status VALUES(10,'xfail',0,'wrong, as the expectations say');
INSERT INTO status VALUES(11,'xpass',1,'right, though the expectations say otherwise');
INSERT INTO status VALUES(12,'flake',1,'two attempts ended differently');
INSERT INTO status VALUES(13,'limit',0,'the reference reached a limit of its own');
INSERT INTO status VALUES(14,'missing',1,'planned, and never run');
CREATE TABLE run (
    id INTEGER PRIMARY KEY,
    uuid TEXT NOT NULL UNIQUE CHECK (length(uuid) = 36),
    started TEXT NOT NULL,     -- ISO 8601, UTC, to the millisecond
    finished TEXT,
    state TEXT NOT NULL
        CHECK (state IN ('planning', 'running', 'complete', 'stopped')),
    suite_version TEXT NOT NULL,
    case_set_hash TEXT NOT NULL,
    plan_hash TEXT NOT NULL,   -- of all that decides the results but chance
    seed TEXT NOT NULL,        -- unsigned 64 bits, decimal
    filter TEXT,
    tier TEXT,
    jobs INTEGER NOT NULL,
    profile TEXT NOT NULL,     -- its name
    profile_json TEXT NOT NULL,-- and what it said
    command TEXT NOT NULL,
    host TEXT NOT NULL,        -- facts about the machine, a JSON object
    note TEXT,                 -- why it stopped, if it did
    plan_first INTEGER NOT NULL,
    plan_count INTEGER NOT NULL
);
INSERT INTO run VALUES(1,'5043c811-7955-49d4-93be-ccba9529f9c1','2026-11-22T05:47:45.110Z','2026-11-22T05:47:45.170Z','complete','0.1.0','27e2bf1cc442bf281a65ef751bb88fd6','b6bf8938cc9e2029e827c0e9c508e3b1','0',NULL,'default',2,'spec','','assay run --backend build/backends/evil/zero_sign.so --cases v1 --database v1.db','{"system": "Linux", "release": "6.18.44", "machine": "x86_64", "processor": "AMD EPYC", "processors": 2, "memory": "24684092 kB"}',NULL,1,5);
INSERT INTO run VALUES(2,'babc14fe-ab20-483c-a8f6-7d0b459ca668','2026-11-22T05:47:45.344Z','2026-11-22T05:47:45.396Z','complete','0.1.0','27e2bf1cc442bf281a65ef751bb88fd6','a64b71cacd82787cee9311bdafb0a77f','0',NULL,'default',2,'spec','','assay run --backend native --cases v1 --database v1.db','{"system": "Linux", "release": "6.18.44", "machine": "x86_64", "processor": "AMD EPYC", "processors": 2, "memory": "24684092 kB"}',NULL,6,5);
CREATE TABLE backend (
    run INTEGER PRIMARY KEY REFERENCES run (id),
    name TEXT NOT NULL,
    version TEXT NOT NULL,
    path TEXT NOT NULL,
    options TEXT NOT NULL
);
INSERT INTO backend VALUES(1,'evil','1','build/backends/evil/zero_sign.so','');
INSERT INTO backend VALUES(2,'native','1','build/backends/native.so','');
CREATE TABLE property (        -- what the backend says about itself
    run INTEGER NOT NULL REFERENCES run (id),
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (run, key)
) WITHOUT ROWID;
INSERT INTO property VALUES(1,'arithmetic','C float and double');
INSERT INTO property VALUES(1,'compiler','12.2.0');
INSERT INTO property VALUES(1,'iec-559','yes');
INSERT INTO property VALUES(2,'arithmetic','C float and double');
INSERT INTO property VALUES(2,'compiler','12.2.0');
INSERT INTO property VALUES(2,'iec-559','yes');
CREATE TABLE file (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
INSERT INTO file VALUES(1,'Add/few');
CREATE TABLE op (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
INSERT INTO op VALUES(1,'Add');
CREATE TABLE type (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
INSERT INTO type VALUES(1,'f32');
CREATE TABLE tier (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
INSERT INTO tier VALUES(1,'default');
CREATE TABLE plan (            -- a run's rows: plan_first, plan_count of them
    id INTEGER PRIMARY KEY,
    file INTEGER NOT NULL REFERENCES file (id),
    name TEXT NOT NULL,        -- behind the file's name and a slash
    variant INTEGER NOT NULL CHECK (variant IN (0, 1)), -- 1: #constant
    op INTEGER NOT NULL REFERENCES op (id),
    type INTEGER REFERENCES type (id),
    tier INTEGER REFERENCES tier (id)
);
INSERT INTO "plan" VALUES(1,1,'plain',0,1,1,1);
INSERT INTO "plan" VALUES(2,1,'plain',1,1,1,1);
INSERT INTO "plan" VALUES(3,1,'zero',0,1,1,1);
INSERT INTO "plan" VALUES(4,1,'zero',1,1,1,1);
INSERT INTO "plan" VALUES(5,1,'error',0,1,1,1);
INSERT INTO "plan" VALUES(6,1,'plain',0,1,1,1);
INSERT INTO "plan" VALUES(7,1,'plain',1,1,1,1);
INSERT INTO "plan" VALUES(8,1,'zero',0,1,1,1);
INSERT INTO "plan" VALUES(9,1,'zero',1,1,1,1);
INSERT INTO "plan" VALUES(10,1,'error',0,1,1,1);
CREATE TABLE result (          -- no row: not run
    plan INTEGER PRIMARY KEY REFERENCES plan (id),
    status INTEGER NOT NULL CHECK (status BETWEEN 1 AND 14),
    attempt INTEGER NOT NULL,  -- 1, or the number of the last one
    time INTEGER NOT NULL,     -- nanoseconds
    units INTEGER,             -- compared
    correct INTEGER,           -- of which correctly rounded
    bad INTEGER,               -- outside their set
    special INTEGER,           -- wrong about NaN or infinity
    error INTEGER,             -- the worst, signed, in millionths of an ulp
    share INTEGER,             -- of sums: in millionths of their bounds
    worst_unit INTEGER,        -- which unit gave it
    worst_input TEXT,          -- and which inputs: "f32:3f800000 f32:40000000"
    flags INTEGER              -- 1 flushed results, 2 flushed operands,
);
INSERT INTO result VALUES(1,1,1,145361,3,3,0,0,0,NULL,0,'f32:3f800000 f32:41200000',NULL);
INSERT INTO result VALUES(2,1,1,40606,3,3,0,0,0,NULL,0,NULL,NULL);
INSERT INTO result VALUES(3,3,2,27701,1,0,1,0,0,NULL,0,'f32:00000000 f32:00000000',NULL);
INSERT INTO result VALUES(4,3,2,21471,1,0,1,0,0,NULL,0,NULL,NULL);
INSERT INTO result VALUES(5,1,1,7625,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO result VALUES(6,1,1,57477,3,3,0,0,0,NULL,0,'f32:3f800000 f32:41200000',NULL);
INSERT INTO result VALUES(7,1,1,52407,3,3,0,0,0,NULL,0,NULL,NULL);
INSERT INTO result VALUES(8,1,1,22292,1,1,0,0,0,NULL,0,'f32:00000000 f32:00000000',NULL);
INSERT INTO result VALUES(9,1,1,18315,1,1,0,0,0,NULL,0,NULL,NULL);
INSERT INTO result VALUES(10,1,1,3997,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE detail (          -- of results that are no plain pass
    plan INTEGER PRIMARY KEY REFERENCES plan (id),
    message TEXT,
    requirements TEXT,         -- identifiers, space separated
    command TEXT,              -- runs this case alone
    at TEXT,                   -- cases/Add/shapes.json:12:8
    inputs TEXT,               -- JSON: the literals as the case writes them
    program TEXT               -- JSON: the case, expanded
);
INSERT INTO detail VALUES(3,'1 of 1 units are wrong',NULL,'assay run --backend build/backends/evil/zero_sign.so --cases ''v1'' --filter Add/few/zero','v1/Add/few.json:5:3','[{"shape":"f32[1]","data":[0]},{"shape":"f32[1]","data":[0]}]','{"id":"zero","why":"zero","inputs":[{"shape":"f32[1]","data":[0]},{"shape":"f32[1]","data":[0]}]}');
INSERT INTO detail VALUES(4,'1 of 1 units are wrong',NULL,'assay run --backend build/backends/evil/zero_sign.so --cases ''v1'' --filter ''Add/few/zero#constant''','v1/Add/few.json:5:3','[{"shape":"f32[1]","data":[0]},{"shape":"f32[1]","data":[0]}]','{"id":"zero","why":"zero","inputs":[{"shape":"f32[1]","data":[0]},{"shape":"f32[1]","data":[0]}]}');
CREATE TABLE wrong (           -- units outside their set, a bounded number
    plan INTEGER NOT NULL REFERENCES plan (id),
    n INTEGER NOT NULL,        -- 0, 1, ...
    replica INTEGER NOT NULL,
    output INTEGER NOT NULL,   -- which result
    place TEXT NOT NULL,       -- index: "[1,2]", with ".im" where complex
    type TEXT NOT NULL,        -- of the unit
    got INTEGER NOT NULL,      -- bit patterns, zero-extended to 64 bits
    want INTEGER NOT NULL,
    low INTEGER,               -- of the acceptance set, as patterns
    high INTEGER,
    accept TEXT,               -- the set in words
    error INTEGER,             -- signed, in millionths of an ulp
    share INTEGER,             -- of a sum: in millionths of its bound
    PRIMARY KEY (plan, n)
) WITHOUT ROWID;
INSERT INTO wrong VALUES(3,0,0,0,'[0]','f32',2147483648,0,0,0,'correctly rounded (arithmetic)',0,NULL);
INSERT INTO wrong VALUES(4,0,0,0,'[0]','f32',2147483648,0,0,0,'correctly rounded (arithmetic)',0,NULL);
CREATE TABLE operand (         -- the inputs of a wrong unit, where it has some
    plan INTEGER NOT NULL,
    n INTEGER NOT NULL,
    k INTEGER NOT NULL,        -- which input
    type TEXT NOT NULL,
    bits INTEGER NOT NULL,
    imaginary INTEGER,         -- of a complex one
    PRIMARY KEY (plan, n, k),
    FOREIGN KEY (plan, n) REFERENCES wrong (plan, n)
) WITHOUT ROWID;
INSERT INTO operand VALUES(3,0,0,'f32',0,NULL);
INSERT INTO operand VALUES(3,0,1,'f32',0,NULL);
CREATE TABLE bin (
    plan INTEGER NOT NULL REFERENCES plan (id),
    bin INTEGER NOT NULL CHECK (bin BETWEEN -127 AND 128),
    count INTEGER NOT NULL,
    PRIMARY KEY (plan, bin)
) WITHOUT ROWID;
INSERT INTO bin VALUES(3,0,1);
INSERT INTO bin VALUES(4,0,1);
CREATE TABLE sweep (
    id INTEGER PRIMARY KEY,
    run INTEGER NOT NULL REFERENCES run (id),
    op INTEGER NOT NULL REFERENCES op (id),
    type INTEGER NOT NULL REFERENCES type (id),
    variant TEXT NOT NULL,     -- attributes, "" for none
    points TEXT NOT NULL       -- how many inputs there are, decimal
);
CREATE TABLE sweep_part (
    sweep INTEGER NOT NULL REFERENCES sweep (id),
    first INTEGER NOT NULL,    -- pattern
    count INTEGER NOT NULL,
    correct INTEGER NOT NULL,
    bad INTEGER NOT NULL,
    special INTEGER NOT NULL,
    error INTEGER,
    worst_input INTEGER,
    time INTEGER NOT NULL,
    PRIMARY KEY (sweep, first)
) WITHOUT ROWID;
CREATE TABLE sweep_bin (
    sweep INTEGER NOT NULL REFERENCES sweep (id),
    bin INTEGER NOT NULL CHECK (bin BETWEEN -127 AND 128),
    count INTEGER NOT NULL,
    PRIMARY KEY (sweep, bin)
) WITHOUT ROWID;
CREATE VIEW outcome AS
SELECT run.id AS run, plan.id AS plan,
       file.name || '/' || plan.name
           || CASE plan.variant WHEN 1 THEN '#constant' ELSE '' END AS name,
       op.name AS op, type.name AS type, tier.name AS tier,
       coalesce(status.name, 'missing') AS status,
       coalesce(status.failure, 1) AS failure,
       result.attempt, result.time, result.units, result.correct, result.bad,
       result.special, result.error, result.share, result.worst_unit, result.worst_input,
       result.flags
FROM run
JOIN plan ON plan.id >= run.plan_first
         AND plan.id < run.plan_first + run.plan_count
JOIN file ON file.id = plan.file
JOIN op ON op.id = plan.op
LEFT JOIN type ON type.id = plan.type
LEFT JOIN tier ON tier.id = plan.tier
LEFT JOIN result ON result.plan = plan.id
LEFT JOIN status ON status.id = result.status;
CREATE INDEX result_status ON result (status) WHERE status <> 1;
COMMIT;
