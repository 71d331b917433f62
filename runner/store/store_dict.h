/* store_dict.h - a dictionary table: each text once, with a number.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef RUNNER_STORE_STORE_DICT_H
#define RUNNER_STORE_STORE_DICT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "interp/base/status.h"

struct sqlite3;

struct store_dict_entry {
    char *text; /* NULL: free */
    int64_t id;
};

/* Zero-initialise, with the table's name. */
struct store_dict {
    const char *table;
    size_t count, room; /* room is a power of two, or 0 */
    struct store_dict_entry *entries;
    const struct store_dict_entry *last; /* the last answer */
};

/* The number of a text, which is added if it is new. */
bool store_dict_id(struct store_dict *dict, struct sqlite3 *db,
                   const char *text, int64_t *id, struct status *st);
void store_dict_free(struct store_dict *dict);

#endif
