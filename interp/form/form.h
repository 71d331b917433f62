/* form.h - named ways of writing the same program.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * spec/forms.json lists them.  A form rewrites a program and its inputs; what
 * the program must compute stays as it is.  There are two kinds: a form of the
 * *data* gives the operands another shape, or a choice of their elements, and
 * the reference evaluates that program; a form of the *writing* says the same
 * in other instructions, and the reference evaluates what was there before.
 * A name combines forms of different families: "rank-2+reversed+loop-3"; a form
 * of one operand names it: "scalar(rhs)".  Read form_apply.h next.
 */
#ifndef INTERP_FORM_FORM_H
#define INTERP_FORM_FORM_H

#include "interp/program/op.h"

/* At most one form of each in a name; in this order. */
enum form_family {
    FORM_SHAPE,
    FORM_OPERAND,
    FORM_PRODUCER,
    FORM_CONSUMER,
    FORM_CONTROL,
    FORM_COMPANY,
    FORM_FAMILIES
};

/* Whether a form has a place: an operand of the operation. */
enum form_place {
    FORM_ALL,   /* all operands */
    FORM_EACH,  /* one of them */
    FORM_EITHER /* both are forms */
};

/* Forms that surround the program (form_control.c). */
enum form_control {
    FORM_CONTROL_NONE,
    FORM_CONTROL_CALL,
    FORM_CONTROL_BRANCH,
    FORM_CONTROL_LOOP,
    FORM_CONTROL_MOVING,
    FORM_CONTROL_MAP
};

struct form {
    const char *id, *text;
    const char *source; /* where a real system treats it apart; or NULL */
    enum form_family family;
    const char *class; /* forms that compilers treat alike */
    enum form_place place;

    /* Where it applies: */
    uint64_t types;   /* bit 1 << DT_x of an operand or result; 0: any */
    int least, most;  /* ranks of it */
    bool nonempty;    /* it has elements */
    bool elementwise; /* the operation is element-wise */
    int operands;     /* that it has at least */

    /* The data are one of: */
    bool spread, splat;       /* elements as scalars, or as equal elements */
    const struct json *sizes; /* other sizes */
    int64_t length;           /* the data repeated */
    bool same;                /* all operands are one */
    bool twice;               /* the operation twice */

    /* How the program is written: */
    bool constant; /* operands are constants of the program */
    /* An operand becomes this formula of one that before made of it. */
    const struct json *operand, *before;
    /* The result becomes this formula, and after is its inverse. */
    const struct json *result, *after;
    enum form_control control;
    int64_t trips;
};

struct form_table {
    int count;
    struct form *rows;
};

/* A form, of one operand or of all. */
struct form_use {
    const struct form *what;
    int operand; /* -1: all */
};

/* Forms of one name, in the order of families: what is NULL if there is none
 * of that family. */
struct form_uses {
    struct form_use of[FORM_FAMILIES];
};

/* The embedded table, read once; it lives as long as the process.  Fails with
 * INPUT. */
bool form_read(const struct form_table **table, struct status *st);

/* The forms of that name; operands are those of op.  Fails with INPUT: what is
 * unknown, and the nearest known name. */
bool form_find(struct arena *a, const char *name, const struct op *op,
               struct form_uses *uses, struct status *st);
/* No form, among globs. */
#define FORM_NONE "none"
/* Fails with INPUT if the glob matches no form's name, with any operand. */
bool form_known(const char *glob, struct status *st);
/* Their name, in the arena; "" for none. */
const char *form_name(struct arena *a, const struct form_uses *uses,
                      const struct op *op);

/* Is the form about the data, so that the reference evaluates it? */
bool form_is_data(const struct form *f);

#endif
