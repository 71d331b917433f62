/* expect.h - expectations: what a backend is known to get wrong.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Either a text file, one expectation a line:
 *
 *     # comment
 *     fail         Add/special@T=bf16*     rounds twice, issue 12
 *     crash,fail   Sort/keys@*             no comparators yet
 *     fail?        Conv/rounding@*         depends on the machine
 *     fail<=2.5    Tan/x@T=f16*            rounds twice
 *
 * that is, the expected statuses, a glob on full names, and a required reason.
 * A case that ends so is xfail; one that is right after all is xpass, unless a
 * question mark lets it be right.  "<=" says how many ulps it may be off: a
 * larger error, or a failure of another nature (verdict_nature.c), is a new
 * failure.  The last line that matches a name counts.
 *
 * Or the same as JSON, as `assay expect` writes it; a file that begins with a
 * brace is read so, whatever its name:
 *
 *     {"format": "assay-expectations/1", "backend": "xla-cpu@0.11.2",
 *      "expect": [{"pattern": "Cosh/random/bits*", "kind": "fail",
 *                  "nature": "error", "ulps": 496,
 *                  "reason": "...", "reference": "xla#49174"}]}
 *
 * An entry may also say "until" (a date), "owner", "versions", "url" and
 * "note".
 */
#ifndef RUNNER_PLAN_EXPECT_H
#define RUNNER_PLAN_EXPECT_H

#include "interp/base/arena.h"
#include "interp/judge/verdict.h"
#include "runner/plan/digest.h"

struct expect_line {
    unsigned statuses; /* bits 1 << enum verdict_status */
    bool may;          /* may also be right */
    unsigned natures;  /* of a fail: bits 1 << enum verdict_nature; 0: any */
    int64_t ulps;      /* how far off it may be, in millionths; -1: any */
    int64_t bounds;    /* and of a sum, of its bound */
    const char *cause; /* of a fail: the deviation that explains it; or NULL */
    const char *message; /* how the message begins (text_class); or NULL */
    const char *glob, *reason;
    const char *reference; /* where it is public, or NULL */
    const char *url;       /* likewise, an address; or NULL */
    const char *owner;     /* who sees to it; or NULL */
    const char *note;      /* free text that nothing relies on; or NULL */
    const char *until;     /* the last day on which it counts; or NULL */
    bool expired;          /* that day is over */
    int version_count;     /* it holds for these only; 0: for all */
    const char **versions; /* globs on the backend's version or name */
    unsigned line;
    int64_t used; /* cases that it matched */
};

struct expect {
    const char *path;
    char digest[DIGEST_TEXT]; /* SHA-256 of the file */
    /* The backend that is judged; NULL: not known, entries of all versions
     * hold. */
    const char *backend, *version;
    int count;
    struct expect_line *lines;
};

/* Read a file.  Fails with INPUT, at a line, or SYSTEM. */
bool expect_read(struct arena *a, const char *path, struct expect *expect,
                 struct status *st);

/* Is it a file of the text form: neither named *.json nor with a brace at its
 * beginning?  False if it cannot be read. */
bool expect_is_text(const char *path);

/* The same of JSON. */
bool expect_json(struct arena *a, const char *path, const char *text,
                 size_t length, struct expect *expect, struct status *st);
/* "crash,fail?" into a line; the text is changed. */
bool expect_statuses(const char *path, char *text, struct expect_line *to,
                     struct status *st);

/* Why a size of REAL_ERROR_MAX is refused. */
#define EXPECT_UNMEASURED \
    "larger errors than 10^12 are not measured: without a limit, leave it out"

/* Sizes in millionths: "127.3" both ways, and rounded up to three digits; -1
 * for what is not measured.  A text must be digits with at most six after a
 * point; from REAL_ERROR_MAX on it is that, which is no limit. */
bool expect_size_parse(const char *text, size_t length, int64_t *micro);
int64_t expect_size_up(int64_t micro);
const char *expect_size_text(struct arena *a, int64_t micro);

enum {
    EXPECT_CAUSES = 8
};

/* How a case ended.  The rest is only of a fail.  error and share are the
 * magnitudes of the largest ones of wrong units, in millionths; 0: none. */
struct expect_found {
    enum verdict_status status;
    unsigned natures;
    int64_t error, share;
    int cause_count; /* deviations that explain it, the narrowest first */
    const char *causes[EXPECT_CAUSES];
    bool searched;       /* all were tried: the list is complete */
    const char *message; /* unless it counts a fail's wrong units; or NULL */
};

/* Add a wrong unit. */
void expect_found_unit(struct expect_found *to, enum verdict_nature nature,
                       int64_t error, int64_t share);
/* After the last one.  If there are more than were added, the largest error
 * and share of the whole result count. */
void expect_found_end(struct expect_found *to, bool more, int64_t error,
                      int64_t share);
/* Does the message of a fail count wrong units? */
bool expect_by_units(const char *message);

/* The runner appends one of these, and details, to the message of a failure
 * that its expectation does not excuse.  The length of the message before it.
 * */
#define EXPECT_NOT     "; not the expectation at "
#define EXPECT_EXCEEDS "; exceeds the expectation at "
size_t expect_own(const char *message);
/* A reason is told in parentheses, "fail (REASON): ...": change it so that the
 * first "): " of such a message is its end. */
void expect_close(char *reason);

/* The statuses of all lines that match the case: bits 1 << enum verdict_status.
 */
unsigned expect_statuses_of(const struct expect *expect, const char *name);

/* Is it explained by the line's cause?  True if the line names none, and if the
 * search for causes ended early. */
bool expect_explains(const struct expect_line *line,
                     const struct expect_found *found);
/* Why an entry that names the status of a case does not apply, in words;
 * NULL: its nature or its size. */
const char *expect_why(struct arena *a, const struct expect_line *line,
                       const struct expect_found *found);
/* Would it excuse another kind of failure as well?  Then what it lacks; else
 * NULL: a pattern of several names needs a cause, a nature or, where
 * no value was judged, a message and the cases' group or type. */
const char *expect_too_wide(const struct expect_line *line);
/* Does the entry hold for the backend that is judged? */
bool expect_holds(const struct expect *expect, const struct expect_line *e);

/* Would expect_apply make it xfail?  Counts nothing. */
bool expect_foresees(const struct expect *expect, const char *name,
                     const struct expect_found *found);
/* The status of a case in the light of the expectations; *line is the one
 * that matched, or NULL. */
enum verdict_status expect_apply(struct expect *expect, const char *name,
                                 const struct expect_found *found,
                                 const struct expect_line **line);

#endif
