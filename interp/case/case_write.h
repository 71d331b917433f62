/* case_write.h - a program as a JSON text, in the case format's words.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * What case_build reads: spec/protocol.md describes the document.
 */
#ifndef INTERP_CASE_CASE_WRITE_H
#define INTERP_CASE_CASE_WRITE_H

#include "interp/program/program.h"

/* The document, on one line, in the arena.  An invalid program has no
 * "outputs", and its instructions may lack "shape". */
const char *case_write(struct arena *a, const struct program *p,
                       const char *name, bool rejected);

#endif
