/* form_cover.h - which forms of which cases: a covering array.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A product of cases and forms is too large to run.  Faults need two conditions
 * at most times (Kuhn, Wallace, Gallo 2004), so a set of formed cases is chosen
 * in which every pair occurs: a property of a case's data with a form, and two
 * forms of different families.  Where operations share the pairs that depend
 * little on the operation, each is dealt those that a hash of the names gives
 * it; spec/forms.md has the rule.  Rows are made one at a time, each for the
 * first pair that is still missing and then, greedily, for as many others as it
 * can take: AETG (Cohen, Dalal, Fredman, Patton 1997) with the candidates of
 * each step in a fixed order, as in the density algorithm (Bryce, Colbourn
 * 2007). The same cases and forms give the same rows, and each operation has
 * its own.
 */
#ifndef INTERP_FORM_FORM_COVER_H
#define INTERP_FORM_FORM_COVER_H

#include "interp/form/form_apply.h"

enum {
    FORM_COVER_USES = 128,     /* at most; a bit set of two words */
    FORM_COVER_DATA = 1 << 13, /* elements of a case that is formed, at most */
    FORM_COVER_OPERANDS = 8,   /* that have forms of their own */
    FORM_COVER_SHARE = 16,     /* an operation is dealt one in so many pairs */
    FORM_COVER_RANKS = 4,      /* 0, 1, 2, more */
    FORM_COVER_SIZES = 5,      /* 0, 1, up to 32, up to 1,024, more elements */
    FORM_COVER_TYPES = 9,
    FORM_COVER_TYPE_AT = FORM_VALUES,
    FORM_COVER_RANK_AT = FORM_COVER_TYPE_AT + FORM_COVER_TYPES,
    FORM_COVER_SIZE_AT = FORM_COVER_RANK_AT + FORM_COVER_RANKS,
    FORM_COVER_LEVELS = FORM_COVER_SIZE_AT + FORM_COVER_SIZES
};

/* A case that may be formed. */
struct form_candidate {
    uint64_t levels; /* bits: properties of its data (form_cover_case_levels) */
    unsigned values[FORM_COVER_OPERANDS]; /* of them, each operand's */
    uint64_t allowed[2];                  /* bits: uses that suit it */
    bool common;                          /* a type that most backends have */
    int64_t cost; /* elements of its data; the cheapest comes first */
    void *what;   /* of the caller */
    int tries;    /* for the pair at hand */
};

/* The uses of an operation, numbered. */
struct form_cover {
    struct arena *arena;
    bool each;        /* pairs are of forms, not of their classes */
    const char *deal; /* the operation that is dealt a share; NULL: all pairs */
    int use_count;
    struct form_use uses[FORM_COVER_USES];
    int count, room;
    struct form_candidate *candidates;
    /* Can the case be made in these forms? */
    bool (*works)(void *context, void *what, const struct form_uses *uses);
    /* A row. */
    void (*give)(void *context, void *what, const struct form_uses *uses);
    void *context;
};

/* Properties of a case's data: bit 1 << FORM_VALUE_x, FORM_COVER_TYPE_AT + type
 * class, ... */
uint64_t form_cover_case_levels(const struct form_case *c);
/* The name of a level: "nan", "float", "rank 2". */
const char *form_cover_case_level(int level);

/* Add a case: its levels, and the uses that suit it. */
bool form_cover_case_add(struct form_cover *x, const struct form_case *c,
                         void *what, struct status *st);
/* Give all rows. */
void form_cover(struct form_cover *x);

#endif
