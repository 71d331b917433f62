-- results.sql - the schema of a results database, version 7.
--
-- SPDX-License-Identifier: Apache-2.0
--
-- spec/results.md explains each table.  A database holds any number of runs.
-- Numbers that name things (op, type, file, tier, status) are rows of the
-- dictionaries of the same database; nothing outside it is needed to read it.

PRAGMA application_id = 0x41737361; -- "Assa"
PRAGMA user_version = 7;

CREATE TABLE status (          -- the rows of interp/judge/verdict.def
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    failure INTEGER NOT NULL CHECK (failure IN (0, 1)),
    meaning TEXT NOT NULL
);

CREATE TABLE run (
    id INTEGER PRIMARY KEY,
    uuid TEXT NOT NULL UNIQUE CHECK (length(uuid) = 36),
    started TEXT NOT NULL,     -- ISO 8601, UTC, to the millisecond
    finished TEXT,
    state TEXT NOT NULL
        CHECK (state IN ('planning', 'running', 'complete', 'stopped')),
    suite_version TEXT NOT NULL,
    case_set_hash TEXT NOT NULL, -- the suite's digest, as in identity
    plan_hash TEXT NOT NULL,   -- of all that decides the results but chance
    seed TEXT NOT NULL,        -- unsigned 64 bits, decimal
    filter TEXT,
    tier TEXT,
    jobs INTEGER NOT NULL,
    profile TEXT NOT NULL,     -- its name
    profile_json TEXT NOT NULL,-- its file and those that it extends, an array
    command TEXT NOT NULL,
    host TEXT NOT NULL,        -- facts about the machine, a JSON object
    note TEXT,                 -- why it stopped, if it did
    plan_first INTEGER NOT NULL,
    plan_count INTEGER NOT NULL,
    shard INTEGER,             -- which part of the plan, from 1; NULL: all of it
    shards INTEGER,            -- of how many
    whole INTEGER              -- planned cases of all shards
);

CREATE TABLE backend (
    run INTEGER PRIMARY KEY REFERENCES run (id),
    name TEXT NOT NULL,
    version TEXT NOT NULL,
    path TEXT NOT NULL,
    options TEXT NOT NULL
);

CREATE TABLE identity (        -- what was judged, by what, and how: two runs are
    run INTEGER NOT NULL REFERENCES run (id), -- parts of one result only if all
    member TEXT NOT NULL,      -- members are equal (runner/store/identity.def);
    value TEXT NOT NULL,       -- no row: not recorded
    PRIMARY KEY (run, member)
) WITHOUT ROWID;

CREATE TABLE property (        -- what the backend says about itself
    run INTEGER NOT NULL REFERENCES run (id),
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (run, key)
) WITHOUT ROWID;

-- Dictionaries.
CREATE TABLE file (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE op (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE type (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE tier (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);

CREATE TABLE plan (            -- a run's rows: plan_first, plan_count of them;
                               -- behind a shard's: the cases of the others
    id INTEGER PRIMARY KEY,
    file INTEGER NOT NULL REFERENCES file (id),
    name TEXT NOT NULL,        -- behind the file's name and a slash
    variant INTEGER NOT NULL CHECK (variant IN (0, 1)), -- 1: #constant
    op INTEGER NOT NULL REFERENCES op (id),
    type INTEGER REFERENCES type (id),
    tier INTEGER REFERENCES tier (id),
    place INTEGER,             -- of a shard: its number in the whole plan
    shard INTEGER              -- and which shard runs it
);

CREATE TABLE result (          -- no row: not run
    plan INTEGER PRIMARY KEY REFERENCES plan (id),
    status INTEGER NOT NULL CHECK (status BETWEEN 1 AND 14),
    attempt INTEGER NOT NULL,  -- 1, or the number of the last one
    time INTEGER NOT NULL,     -- nanoseconds
    units INTEGER,             -- compared
    correct INTEGER,           -- of which correctly rounded; NULL: judged
                               -- together, no unit has a pattern of its own
    bad INTEGER,               -- outside their set
    special INTEGER,           -- wrong about NaN or infinity
    error INTEGER,             -- the worst, signed, in millionths of an ulp
    share INTEGER,             -- of sums, norms, residuals: in millionths of
                               -- their bounds
    worst_unit INTEGER,        -- which unit gave it
    worst_input TEXT,          -- and which inputs: "f32:3f800000 f32:40000000"
    flags INTEGER              -- 1 flushed results, 2 flushed operands,
                               -- 4 undecided, 8 lower-precision accumulation,
                               -- 16 to be tried again: not final,
                               -- 32 the search for causes ended early,
);                             -- 64 expectations say that it may be right

CREATE TABLE detail (          -- of results that are no plain pass
    plan INTEGER PRIMARY KEY REFERENCES plan (id),
    message TEXT,
    requirements TEXT,         -- identifiers, space separated
    command TEXT,              -- runs this case alone
    at TEXT,                   -- cases/Add/shapes.json:12:8
    inputs TEXT,               -- JSON: the literals as the case writes them
    program TEXT               -- JSON: the case, expanded
);

CREATE TABLE wrong (           -- units outside their set, a bounded number
    plan INTEGER NOT NULL REFERENCES plan (id),
    n INTEGER NOT NULL,        -- 0, 1, ...
    replica INTEGER NOT NULL,
    output INTEGER NOT NULL,   -- which result
    place TEXT NOT NULL,       -- index: "[1,2]", with ".im" where complex
    type TEXT NOT NULL,        -- of the unit
    got INTEGER NOT NULL,      -- bit patterns, zero-extended to 64 bits
    want INTEGER NOT NULL,
    low INTEGER,               -- of the acceptance set, as patterns; NULL if it
    high INTEGER,              -- is no single range
    accept TEXT,               -- the set in words, and its parts: "...: 0 | 1"
    error INTEGER,             -- signed, in millionths of an ulp
    share INTEGER,             -- of a sum: in millionths of its bound
    PRIMARY KEY (plan, n)
) WITHOUT ROWID;

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

CREATE TABLE remark (          -- of results that are right with a remark
    plan INTEGER NOT NULL REFERENCES plan (id),
    name TEXT NOT NULL,        -- "flush", or a policy
    units INTEGER NOT NULL,    -- 0: the program was refused, which is permitted
    PRIMARY KEY (plan, name)
) WITHOUT ROWID;

CREATE TABLE cause (           -- deviations that explain a wrong result
    plan INTEGER NOT NULL REFERENCES plan (id),
    n INTEGER NOT NULL,        -- 0, 1, ...: the narrowest first
    name TEXT NOT NULL,        -- "operand.zero(init_value)" (deviations.md)
    text TEXT NOT NULL,        -- what it does
    units INTEGER NOT NULL,    -- wrong, and explained: all of them
    moved INTEGER NOT NULL,    -- units that the deviation changes
    exact INTEGER NOT NULL CHECK (exact IN (0, 1)), -- bit for bit
    PRIMARY KEY (plan, n)
) WITHOUT ROWID;

-- How the errors of a result are spread, unless it is the correctly rounded one
-- throughout.  bin 0 is no error; 1 to 64 is an error of at most bin/8 ulp; from
-- 65 on of at most 8 * 2^(bin - 64) ulps; negative bins are negative errors; 128
-- is wrong about NaN or infinity.  Sums and flushed numbers are not in it.
CREATE TABLE bin (
    plan INTEGER NOT NULL REFERENCES plan (id),
    bin INTEGER NOT NULL CHECK (bin BETWEEN -127 AND 128),
    count INTEGER NOT NULL,
    PRIMARY KEY (plan, bin)
) WITHOUT ROWID;

-- Sweeps: a range of input patterns at a time.  Hunts: the inputs of a part
-- follow from the seed and what the parts of earlier rounds gave.
CREATE TABLE sweep (
    id INTEGER PRIMARY KEY,
    run INTEGER NOT NULL REFERENCES run (id),
    op INTEGER NOT NULL REFERENCES op (id),
    type INTEGER NOT NULL REFERENCES type (id),
    variant TEXT NOT NULL,     -- attributes, "" for none
                               -- points: how many inputs there are, decimal
    points TEXT NOT NULL,
    hunt INTEGER NOT NULL DEFAULT 0 CHECK (hunt IN (0, 1)) -- for large errors
);

CREATE TABLE sweep_part (
    sweep INTEGER NOT NULL REFERENCES sweep (id),
    first INTEGER NOT NULL,    -- pattern; of a hunt: the part's number
    count INTEGER NOT NULL,
    correct INTEGER NOT NULL,
    bad INTEGER NOT NULL,
    special INTEGER NOT NULL,
    error INTEGER,
    worst_input INTEGER,
    time INTEGER NOT NULL,
    worst_second INTEGER,      -- of a hunt of two operands: the right one
    -- Where spec/monotone.json knows the function; NULL: not counted.
    breaks INTEGER,            -- results out of order with the pattern before
    break_input INTEGER,       -- the pattern of the first of them
    first_result INTEGER,      -- patterns; with those of its neighbours
    last_result INTEGER,       -- they tell what is between two parts
    PRIMARY KEY (sweep, first)
) WITHOUT ROWID;

CREATE TABLE sweep_bin (
    sweep INTEGER NOT NULL REFERENCES sweep (id),
    bin INTEGER NOT NULL CHECK (bin BETWEEN -127 AND 128),
    count INTEGER NOT NULL,
    PRIMARY KEY (sweep, bin)
) WITHOUT ROWID;

-- Every planned case with its full name and what became of it.
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

INSERT INTO status (id, name, failure, meaning) VALUES
    (1, 'pass', 0, 'the result is right'),
    (2, 'warn', 0, 'right, with a remark'),
    (3, 'fail', 1, 'a wrong result'),
    (4, 'unsupported', 0, 'not supported by the backend'),
    (5, 'crash', 1, 'the backend''s process died'),
    (6, 'timeout', 1, 'no result within the time limit'),
    (7, 'refused', 1, 'an error; expected a value'),
    (8, 'accepted', 1, 'a value; expected an error'),
    (9, 'wrong-class', 1, 'an error of another class than expected'),
    (10, 'xfail', 0, 'wrong, as expected'),
    (11, 'xpass', 1, 'right, although expected to be wrong'),
    (12, 'flake', 1, 'two attempts with different outcomes'),
    (13, 'limit', 0, 'the reference reached one of its own limits'),
    (14, 'missing', 1, 'planned, but never run');
