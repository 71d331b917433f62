/* report.h - what a results database says, in several forms.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Every form is drawn only from the database, and the specification that the
 * program carries.  Rows are read one at a time, so that a report of a million
 * cases takes no more memory than one of a hundred.
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "interp/base/arena.h"
#include "interp/base/status.h"
#include "interp/judge/verdict.h"
#include "interp/judge/violation.h"
#include "interp/specification/profile.h"
#include "interp/specification/spec.h"
#include "report/gate.h"
#include "report/report_record.def"
#include "runner/store/claim.h"
#include "runner/store/identity.h"
#include "runner/store/store.h"
#include "runner/tap.h"

enum {
    /* Rows of verdict.def, and so of the table status, counted from 1. */
    REPORT_STATUSES = 0
#define VERDICT(...) +1
#include "interp/judge/verdict.def"
#undef VERDICT
};

struct report_status {
    const char *name;
    bool failure;
    enum tap_form tap;
    const char *junit;
    int colour;
    const char *meaning;
};

/* [0] is the first row; a status id of the database is one more. */
extern const struct report_status report_statuses[REPORT_STATUSES];
/* Is it wrong, and known to be? */
bool report_status_known(int status);
/* Is the result wrong, known or not?  Neither one that never ran is, nor one
 * that is right although expectations list it. */
bool report_status_wrong(int status);
/* The row of that name; NULL if there is none. */
const struct report_status *report_status_find(const char *name);

struct report_run {
    struct identity identity;
    int64_t counts[REPORT_STATUSES];
    int64_t failures, ran;
    int64_t judged; /* of those that ran: neither unsupported nor limit */
    int64_t known;  /* of those judged: wrong, as the expectations say */
    struct report_cell *cells; /* report_cells(); NULL: not asked for yet */
    int cell_count;
    REPORT_RECORD_run(RECORD_MEMBER, )
};

/* Their rows of report_record.def, as store_record_read() takes them. */
extern const struct store_record report_run_record, report_case_record;

struct sqlite3_stmt;

enum {
    REPORT_PREPARED = 8 /* queries that may be asked for each row */
};

struct report {
    struct store *store;
    struct arena *arena; /* as long as the report */
    struct arena row;    /* reset for each row */
    int run_count;
    struct report_run *runs;
    int64_t failure_limit; /* failures listed for each run */
    int64_t wrong_limit;   /* wrong units for each failure */
    bool colour;
    const char *docs; /* the site of `make docs`, for links; NULL: none */
    bool masked;      /* report_mask() was called */
    /* The run that it is compared with, and what differs; or NULL. */
    struct report *before;
    const struct report_change *change;
    FILE *out;
    /* Those that report_query() has prepared: to look for their text takes as
     * long as to run them. */
    struct {
        const char *name;
        struct sqlite3_stmt *query;
    } prepared[REPORT_PREPARED];
    /* The profile of the run that was asked for last, or NULL. */
    const struct report_run *profile_run;
    const struct profile *profile;
};

/* "results.db@3": the run ("3", or "latest" if there is none), which follows
 * the last @, unless a file of the whole name exists.  *path is the database.
 */
const char *report_split(struct arena *a, const char *which, const char **path);

/* Open a report.  which is "DATABASE", for the latest run, or "DATABASE@RUN",
 * where RUN is "all", "latest", a number, or the beginning of a uuid.  Fails
 * with INPUT or SYSTEM. */
bool report_open(struct report *r, struct arena *a, const char *which,
                 FILE *out, struct status *st);
void report_close(struct report *r);

/* Hides the folders of this machine: in every text that is read from now on,
 * and in those of the runs, an absolute path loses them ("/home/me/mine.so"
 * becomes ".../mine.so"). */
void report_mask(struct report *r);
/* A text of the database as this report shows it; in the arena if it differs,
 * NULL for NULL. */
const char *report_mask_shown(const struct report *r, struct arena *a,
                              const char *text);
/* The same of any text, always. */
const char *report_mask_text(struct arena *a, const char *text);

/* Names each of several runs: by its backend and version and, where another is
 * of the same backend, its build (the digest of its file), its date, and its
 * number where these are equal, too. */
void report_label(struct arena *a, const struct report_run *const *runs,
                  int count, const char **labels);
/* All of it: "native 1, build f1eb27fe, 2026-05-04 03:02, run 1". */
const char *report_label_whole(struct arena *a, const struct report_run *run);

/* Write in the form of that name; false with INPUT if there is none. */
bool report_write(struct report *r, const char *format, struct status *st);
/* Does what report_write does, with the form itself instead of its name. */
bool report_text(struct report *r, struct status *st);
bool report_html(struct report *r, struct status *st);
bool report_json(struct report *r, struct status *st);
bool report_markdown(struct report *r, struct status *st);
bool report_junit(struct report *r, struct status *st);
bool report_tap(struct report *r, struct status *st);
bool report_badge(struct report *r, struct status *st);

struct report_names {
    int count, room;
    const char **list;
};

/* ---- What differs -------------------------------------------------------- */

enum {
    REPORT_CHANGES = 200, /* cases that are kept of each fate */
    REPORT_LISTED = 10    /* and that a text lists */
};

/* A case with another fate than before. */
struct report_changed {
    const char *name, *before, *after; /* statuses */
    const char *why; /* it is wrong now: its cause or message; or NULL */
};

struct report_change {
    struct arena *arena;      /* of what first holds; NULL: nothing is kept */
    int64_t fate[GATE_COUNT]; /* cases of another status (gate.def) */
    struct report_changed first[GATE_COUNT][REPORT_CHANGES];
    int64_t same;          /* the same status */
    int64_t added;         /* were not planned before */
    int64_t worse, better; /* worst error grew, shrank */
    int64_t worst_drift;   /* by how much at most, millionths of an ulp */
    int64_t less_correct;  /* rows with fewer units correctly rounded */
    bool identity[IDENTITY_COUNT]; /* which members differ */
    struct report_names ops;       /* with a case of another status, or a
                                      new one */
};

/* Compare the runs of two reports (the first of each), case by case; notable
 * differences go to out (may be NULL), the first ones of each fate into the
 * arena (may be NULL). */
bool report_diff(struct report *before, struct report *after, FILE *out,
                 int64_t limit, struct arena *a, struct report_change *change,
                 struct status *st);
/* A line for each member of the runs' identities that differs. */
void report_diff_identity(const struct report_change *change,
                          const struct report *before,
                          const struct report *after, const char *verb,
                          FILE *out);
/* The numbers as one JSON object. */
void report_diff_json(const struct report_change *change, FILE *out);

/* Changes since an earlier run: a sum, and the first cases of each fate. */
enum {
#define GATE_SUM(member, key, class, one, many) +1
    REPORT_SUMS = 0
#include "report/gate.def"
#undef GATE_SUM
};
struct report_sum {
    int64_t n;
    const char *text;  /* "new failures" */
    const char *class; /* of its colour (html.h) */
};
/* Those that are not 0; the number of them. */
int report_since_sums(const struct report_change *c,
                      struct report_sum sums[REPORT_SUMS]);
void report_since_text(struct report *r);
void report_since_markdown(struct report *r);
void report_since_json(struct report *r);

/* ---- Rows ---------------------------------------------------------------- */

/* One operation at one element type. */
struct report_cell {
    const char *op, *type;
    int64_t counts[REPORT_STATUSES];
    int64_t total, failures;
    int64_t rejected; /* right, and without a value: an error was expected */
    int64_t units, correct, special; /* units 0: nothing compared */
    int64_t rated; /* those of which correct may be: not judged together */
    bool has_error;
    int64_t error; /* signed, the largest in magnitude; micro-ulps */
    bool has_share;
    int64_t share; /* of accumulations, norms and residuals, in millionths of
                      their bounds */
    const char *worst_input;
    int64_t bins[257]; /* [bin + 128] */
    bool has_bins;
};

/* The cells of a run by operation and type, in the report's arena; they are
 * summed up once and shared. */
bool report_cells(struct report *r, int64_t run, struct report_cell **cells,
                  int *count, struct status *st);

/* All cells of one operation. */
struct report_row {
    const char *op;
    int64_t counts[REPORT_STATUSES];
    int64_t total, failures, known, skipped, judged;
    int64_t wrong; /* of those judged: known ones too, but no right result that
                      expectations list */
    int64_t rated, correct;
    struct report_cell worst; /* only its errors */
};

/* A run by operations.  One is supported if a case of it was judged, wholly
 * right if all of its judged cases are right and none is missing, wrong if a
 * case of it is, known ones too; of the others nothing is known. */
struct report_summary {
    int operations, supported, right, wrong, unknown;
    int failing;             /* with a failure that no expectation lists */
    int expected;            /* judged, without one */
    struct report_row *rows; /* by name */
};

/* In the report's arena. */
bool report_summary(struct report *r, const struct report_run *run,
                    struct report_summary *s, struct status *st);
/* "27 of 139 operations supported, 16 wholly right" */
const char *report_summary_line(struct arena *a,
                                const struct report_summary *s);
/* The rows as a table: all, or at most limit (0: all) of those that failed. */
void report_summary_table(struct report *r, const struct report_summary *s,
                          bool failed, int limit);
/* Prints what a person wants to know of a run first: the line, the operations
 * that failed (or all), and the largest causes, each with the command of its
 * smallest case. */
bool report_summary_brief(struct report *r, const struct report_run *run,
                          bool all, struct status *st);
/* Colours text as the reports in text do; does nothing without colour. */
void report_summary_colour(struct report *r, int code);

/* How far off the results of a cell may be under the run's profile, in ulps:
 * "1.5", "0.5" where it must be correctly rounded, "1 E" for sums, "1 if
 * |operand| < 2, else 4" where it depends on the operands; "" where no
 * number says it, or the profile is no longer available. */
const char *report_budget(struct arena *a, const struct report_run *run,
                          const struct report_cell *c);
/* The same for an operation and type under a profile: "" for one that is not
 * judged by a budget. */
const char *report_budget_of(struct arena *a, const struct profile *p,
                             const struct spec_op *op, enum dtype type);

/* A remark on results that are right. */
struct report_remark {
    const char *name;
    int64_t cases, units;
};

/* The remarks of a run, in the report's arena. */
bool report_remarks(struct report *r, int64_t run, struct report_remark **list,
                    int *count, struct status *st);
/* The same as one text, "flush (2 cases)"; NULL if there are none. */
bool report_remarks_text(struct report *r, int64_t run, const char **text,
                         struct status *st);

struct report_case {
    REPORT_RECORD_case(RECORD_MEMBER, )
};

enum {
    REPORT_KNOWN_NAMES = 10
};

/* Cases of one operation that are wrong as the expectations say, for one
 * reason. */
struct report_known {
    const char *op, *reason; /* "fail (REASON)" */
    const char *shown;       /* the reason as the report shows it */
    int64_t count;
    const char *names[REPORT_KNOWN_NAMES]; /* of the first ones */
};
bool report_known(struct report *r, int64_t run, struct report_known **list,
                  int *count, struct status *st);

/* The deviations that explain what is wrong in a case: the narrowest first, in
 * the arena of the row. */
bool report_explain_causes(struct report *r, int64_t plan,
                           struct store_cause **list, int *count,
                           struct status *st);
/* The narrowest in one line, "unexplained" if a wrong result has none, NULL if
 * no unit is wrong; in the arena of the row. */
bool report_explain_text(struct report *r, const struct report_case *c,
                         const char **text, struct status *st);

/* The mistakes that a verdict on such a case does not see
 * (interp/judge/power.h): NULL where it failed otherwise than by a sum, where
 * nothing was tried, or all is seen. */
const char *report_power(struct report *r, const struct report_run *run,
                         const struct report_case *c);
/* The profile of the run; NULL if it is no longer available. */
const struct profile *report_violation_profile(struct report *r,
                                               const struct report_run *run);
/* The rules that a failure breaks, found from its wrong units. */
bool report_violation(struct report *r, const struct report_run *run,
                      const struct report_case *c, struct violations *v,
                      struct status *st);

enum report_group_kind {
    REPORT_GROUP_DEVIATION, /* the narrowest one that explains a result */
    REPORT_GROUP_BOUND,     /* inaccurate: a size, which is no cause */
    REPORT_GROUP_ENDED,     /* no value was judged: the message says why */
    REPORT_GROUP_OPEN,      /* unexplained */
    REPORT_GROUP_KINDS
};

/* The failures of one cause, known ones too: of a deviation; "accuracy" or
 * "accumulation" of one operation and type; the status and class of message
 * where no value was judged; or "unexplained", by what is seen. */
struct report_group {
    const char *cause;
    enum report_group_kind kind;
    const char *text;  /* of a deviation or message, or what is seen; or NULL */
    const char *worst; /* the case with the largest error */
    const char *input; /* and the inputs of that: "f32:3f800000"; or NULL */
    int64_t cases, known;
    int64_t ended; /* of the cases: not all deviations were tried */
    struct report_names ops, types;
    const char *name, *command; /* of the smallest case */
    int64_t units, bad;         /* likewise */
    int64_t ulps, bounds; /* the largest, in millionths; -1: not measured */
};
/* Those of the cases whose names match glob (NULL: all), most new failures
 * first, then most cases; in the report's arena. */
bool report_group_list(struct report *r, int64_t run, const char *glob,
                       struct report_group **list, int *count,
                       struct status *st);

/* Cases that are right as they stand, by a form in which they failed. */
struct report_form {
    const char *form;
    int64_t cases, failed; /* in that form, and perhaps in others with it */
    const char *name;      /* of the first that failed */
};

/* The forms of failed cases of a run, those with the most first; glob: on their
 * names, or NULL. */
bool report_form_list(struct report *r, int64_t run, const char *glob,
                      struct report_form **list, int *n, struct status *st);
void report_form_write(struct report *r, const struct report_form *list, int n,
                       bool all);
void report_form_json(struct report *r, const struct report_form *list, int n);
/* The meaning of the cause, with its figure if it is a measured one; or NULL.
 */
const char *report_group_bare(struct arena *a, const struct report_group *g);
/* The same for people, who are also told that a search for causes ended early.
 */
const char *report_group_text(struct arena *a, const struct report_group *g);
/* The failures of each run whose names match glob (NULL: all), grouped by
 * cause, as text (with all: with every operation and type of a group) or as one
 * JSON object. */
bool report_explain(struct report *r, const char *glob, bool json, bool all,
                    struct status *st);

/* The names of the cases that failed in the latest run of a database.  Fails
 * with INPUT if there are none. */
bool report_summary_names(struct arena *a, const char *database,
                          struct report_names *to, struct status *st);
/* The facts for what the run may claim of its backend (claim.h). */
struct claim_facts report_claim(const struct report_run *run);
/* "3 of 120 judged cases failed, 2 are known to be wrong, 80 were not judged"
 */
const char *report_sentence(struct arena *a, const struct report_run *run);

/* How far off: "the sign of zero", "1.5 ulp", "2.3 of its bound"; where none
 * was measured, the difference of two numbers, "-0.25 (absolute)", else NULL.
 */
const char *report_case_off(struct arena *a, const struct store_wrong *w);
/* The difference of two numbers in decimal; NULL if one is none. */
const char *report_budget_difference(struct arena *a,
                                     const struct store_wrong *w);
/* The worst error of a cell to three digits or so: "1.5", and "0.31 E" where
 * only sums were measured; none if nothing was. */
const char *report_cells_worst(struct arena *a, const struct report_cell *c,
                               const char *none);

/* Prepare report/NAME.sql, with the run as ?1.  The caller steps it before it
 * asks for another of that name, and ends it with report_ended() or
 * sqlite3_reset(): it stays the report's, for the next time. */
struct sqlite3_stmt *report_query(struct report *r, const char *name,
                                  int64_t run, struct status *st);
/* The next case of cases.sql, failures.sql, names.sql or suite.sql, valid
 * until the one after: 1; at the end 0; on failure -1. */
int report_case_next(struct report *r, struct sqlite3_stmt *q,
                     struct report_case *c, struct status *st);
/* One of several runs that are read side by side; the rest is 0 at first. */
struct report_side {
    struct report *report;
    const struct report_run *run;
    struct sqlite3_stmt *query;
    int more;
    bool begun;
    bool here;              /* it planned the case: */
    struct report_case now; /* if so */
};
/* The next case that one of the runs planned, in the order of the names; NULL
 * at the end, and on failure. */
const struct report_case *report_join(struct report_side *sides, int count,
                                      struct status *st);
void report_join_end(struct report_side *sides, int count);
/* Prepare failures.sql: at most limit failures, spread over the operations and
 * types; with each, one of every operation and type at least. */
struct sqlite3_stmt *report_case_failures(struct report *r, int64_t run,
                                          int64_t limit, bool each,
                                          struct status *st);
/* Write the failures that it gives without each, numbered from 0; *listed is
 * how many. */
typedef bool report_case_write(struct report *r, const struct report_run *run,
                               const struct report_case *c, int64_t number,
                               struct status *st);
bool report_case_list(struct report *r, const struct report_run *run,
                      int64_t limit, report_case_write *write, int64_t *listed,
                      struct status *st);
/* At most limit wrong units of a case, in the arena of the row. */
bool report_case_wrongs(struct report *r, int64_t plan, int64_t limit,
                        struct store_wrong **wrongs, int *count,
                        struct status *st);
/* A column's text in an arena; NULL stays NULL. */
const char *report_column(struct arena *a, struct sqlite3_stmt *q, int i);
/* A column's text until the next step; "" for NULL. */
const char *report_column_text(struct sqlite3_stmt *q, int i);
/* The end of a query, whose last step gave rc: true unless it failed.  The
 * statement stays for the next query of that name. */
bool report_ended(struct report *r, struct sqlite3_stmt *q, int rc,
                  const char *doing, struct status *st);

#endif
