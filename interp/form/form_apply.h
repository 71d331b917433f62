/* form_apply.h - a program and its inputs, written in a form.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_FORM_FORM_APPLY_H
#define INTERP_FORM_FORM_APPLY_H

#include "interp/form/form_suit.h"

/* Rewrite: data, that which must be computed and its inputs; written, how a
 * backend gets it.  Both share what did not change.  Everything is in the
 * arena. Fails with UNSUPPORTED if a form does not apply. */
bool form_apply(struct arena *a, const struct limits *limits,
                const struct form_uses *uses, const struct form_case *plain,
                struct form_case *data, struct form_case *written,
                struct status *st);

/* ---- Used by the files of this folder ------------------------------------ */

/* In form_control.c: put the program into a call, a branch, a loop, a Map. */
bool form_control(struct arena *a, const struct form *form, struct form_case *c,
                  struct status *st);
/* In form_data.c: give the data another shape, or choose elements. */
bool form_data(struct arena *a, const struct form_use *use, struct form_case *c,
               struct status *st);

#endif
