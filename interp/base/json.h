/* json.h - strict JSON with positions.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Reading is done in two steps.  Our own scanner accepts exactly RFC 8259 in
 * UTF-8 (cJSON alone accepts 01, 1., 1e999, trailing text, raw tabs and
 * NUL), rejects duplicate members, and records the position of each value.
 * cJSON builds the tree, and the two are joined into struct json, in the
 * caller's arena: a value has its line, its column and the text of its number.
 */
#ifndef INTERP_BASE_JSON_H
#define INTERP_BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "interp/base/arena.h"
#include "interp/base/status.h"

enum {
    JSON_DEPTH_MAX = 128,
    JSON_FILE_BYTES = 64 << 20, /* default limit */
};

enum json_kind {
    JSON_NULL,
    JSON_BOOL,
    JSON_NUMBER,
    JSON_STRING,
    JSON_ARRAY,
    JSON_OBJECT,
};

struct json {
    enum json_kind kind;
    bool boolean;
    int count;             /* children of an array or object */
    unsigned line, column; /* of its first character, counted from 1 */
    const char *path;      /* of the file */
    const char *key;       /* its name, if it is a member */
    const char *text;      /* string: its value; number: as written */
    size_t length;         /* of text */
    const struct json *parent, *next, *child;
};

/* Read a file, or a text; errors call it name.  Fail with
 * INPUT (not JSON; too large; too deep) or SYSTEM (cannot be read). */
bool json_read(struct arena *a, const char *path, size_t limit_bytes,
               const struct json **root, struct status *st);
bool json_parse(struct arena *a, const char *path, const char *text,
                size_t length, const struct json **root, struct status *st);

/* Its RFC 6901 pointer, in the arena. */
const char *json_pointer(struct arena *a, const struct json *node);

/* Note a value as the place of a failure. */
void json_place(struct arena *a, const struct json *at, struct status *st);
/* Record an INPUT failure at a value; returns false. */
bool json_fail(struct arena *a, const struct json *at, struct status *st,
               const char *format, ...) __attribute__((format(printf, 4, 5)));

/* The member of that name, or NULL.  node may be NULL. */
const struct json *json_member(const struct json *node, const char *key);
/* The i-th child, or NULL. */
const struct json *json_at(const struct json *node, int i);
bool json_is_string(const struct json *node, const char *text);

/* Typed reads; fail at the node.  An int must be written as an integer
 * (no fraction, no exponent) and fit. */
bool json_int(struct arena *a, const struct json *node, int64_t *value,
              struct status *st);
bool json_ints(struct arena *a, const struct json *node, int *count,
               int64_t **values, struct status *st);
bool json_bool(struct arena *a, const struct json *node, bool *value,
               struct status *st);
bool json_string(struct arena *a, const struct json *node, const char **value,
                 struct status *st);
/* Fail at the first member of an object that is not among names (a
 * NULL-terminated list), and at node if it is not an object. */
bool json_only(struct arena *a, const struct json *node,
               const char *const *names, struct status *st);

/* A JSON string for text, quotes included, in the arena. */
const char *json_quote(struct arena *a, const char *text);

#endif
