/* json_scan.h - the scanner of json.c: RFC 8259, exactly.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Accepts a text or says where and why not, and lists its values in the order
 * in which they begin: the order of a walk through the tree.
 */
#ifndef INTERP_BASE_JSON_SCAN_H
#define INTERP_BASE_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>

struct json_scan_value {
    size_t start, length; /* of its text; strings with their quotes */
    unsigned line, column;
};

struct json_scan {
    const char *text;
    size_t length;
    size_t next;
    unsigned line;
    size_t counted;  /* up to here of this line, characters are counted: */
    unsigned column; /* the column of that place */
    int depth;
    struct json_scan_value *values; /* malloc; free with json_scan_free */
    size_t count, room;
    const char *error; /* NULL: none; else what is wrong at line, column */
    unsigned error_line, error_column;
};

/* Scan the whole text; false, and error, if it is not JSON, nests deeper than
 * depth_limit, is not UTF-8, or has a NUL or an unpaired surrogate in a
 * string. */
bool json_scan_text(struct json_scan *s, const char *text, size_t length,
                    int depth_limit);
void json_scan_free(struct json_scan *s);

#endif
