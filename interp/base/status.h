/* status.h - how a function reports a failure and its place.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A function that can fail takes a struct status * as its last parameter and
 * returns true on success.  The first failure wins: later ones do not replace
 * it.
 */
#ifndef INTERP_BASE_STATUS_H
#define INTERP_BASE_STATUS_H

#include <stdbool.h>
#include <stddef.h>

enum code {
#define STATUS(code, name, meaning) STATUS_##code,
#include "interp/base/status.def"
    STATUS_COUNT
};

struct status {
    enum code code;
    const char *source;    /* where in our code: "interp/shape.c:41" */
    const char *path;      /* where in the input, if anywhere: the file, */
    unsigned line, column; /* position, counted from 1, 0 if unknown, */
    const char *member;    /* and member, as a JSON pointer */
    char text[256];        /* one line, no full stop, text_clean */
};

const char *status_name(enum code code);
/* The class of error in a program that has this name (STATUS_SHAPE to
 * STATUS_UNSUPPORTED); false: there is none. */
bool status_find_class(const char *name, enum code *code);

/* Record a failure and return false. */
bool status_set(struct status *st, enum code code, const char *source,
                const char *format, ...) __attribute__((format(printf, 4, 5)));

#define FAIL(st, code, ...) \
    status_set((st), STATUS_##code, __FILE__ ":" STATUS_LINE(__LINE__), \
               __VA_ARGS__)
#define STATUS_LINE(n)  STATUS_LINE_(n)
#define STATUS_LINE_(n) #n

/* A failure as one line: "FILE:LINE:COLUMN: MEMBER: TEXT" where the place is
 * known, else "FILE: TEXT" or "TEXT". */
void status_line(const struct status *st, char *line, size_t size);

/* Return false from the calling function if expr is false. */
#define TRY(expr) \
    do { \
        if (!(expr)) \
            return false; \
    } while (0)

#endif
