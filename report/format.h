/* format.h - values and texts, as the reports write them.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Whatever a database holds may be printed: characters that text.h does not
 * show come out as U+FFFD, and what a form could mistake for its own marks is
 * escaped.
 */
#ifndef REPORT_FORMAT_H
#define REPORT_FORMAT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "interp/base/arena.h"

/* Text on one line, control characters replaced. */
void format_plain(FILE *out, const char *text);
/* In a column of that many characters: cut or padded at its end, or, if width
 * is negative, padded at its start. */
void format_column(FILE *out, const char *text, int width);
/* Inside an element or a quoted attribute of XML or HTML; at most limit bytes
 * of it (0: all), then an ellipsis. */
void format_xml(FILE *out, const char *text, size_t limit);
/* A JSON string with its quotes; null for NULL. */
void format_json(FILE *out, const char *text);
/* A member of an object, after `before`: "{", ", " or the like. */
void format_json_member(FILE *out, const char *before, const char *key,
                        const char *text);
/* Inside a cell of a Markdown table. */
void format_markdown(FILE *out, const char *text);

/* Millionths as a decimal without needless zeros: "-1.5". */
const char *format_micro(struct arena *a, int64_t micro);
/* The same of an error: "at least 10^12" where it was not measured further. */
const char *format_ulps(struct arena *a, int64_t micro);
/* A member of JSON, without a comma before it: the number, or null with a
 * second member, KEY_beyond, that says so in words where it was not measured
 * further.
 */
void format_json_ulps(FILE *out, struct arena *a, const char *key, bool has,
                      int64_t micro);
/* To three significant digits or so: "1.5", "0.731", "12300", "at least 10^12".
 */
const char *format_short(struct arena *a, int64_t micro);
/* 12,345 */
const char *format_count(struct arena *a, int64_t n);
/* The same text with a capital letter first. */
const char *format_sentence(struct arena *a, const char *text);
/* part of whole in percent, rounded toward what is not perfect: "99.9". */
const char *format_share(struct arena *a, int64_t part, int64_t whole);
/* part of whole (more than 0) with so many digits after the point, 1 only for
 * all of it and 0 only for none: "0.999999". */
const char *format_fraction(struct arena *a, int64_t part, int64_t whole,
                            int digits);

/* One unit of the type of that name: shortest decimal, hexadecimal float (NULL
 * for integers), bits.  An unknown type gives only the bits. */
const char *format_decimal(struct arena *a, const char *type, uint64_t bits);
const char *format_hexfloat(struct arena *a, const char *type, uint64_t bits);
const char *format_bits(struct arena *a, const char *type, uint64_t bits);

#endif
