/* memory.c - memory that is freed at once, and error texts.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "native.h"

struct block {
    struct block *next;
    size_t used, room;
    long double data[1]; /* aligned for anything */
};

enum {
    BLOCK_BYTES = 64 * 1024
};

void *memory_new(struct memory *m, size_t count, size_t size)
{
    struct block *b = m->blocks;
    if (size != 0 && count > (SIZE_MAX / 2 - BLOCK_BYTES) / size)
        longjmp(*m->out, 1);
    size_t want = (count * size + 15) / 16 * 16;
    if (b == NULL || b->room - b->used < want) {
        size_t room = want > BLOCK_BYTES ? want : BLOCK_BYTES;
        b = malloc(sizeof *b + room);
        if (b == NULL)
            longjmp(*m->out, 1);
        b->next = m->blocks;
        b->used = 0;
        b->room = room;
        m->blocks = b;
    }
    void *p = (char *)b->data + b->used;
    b->used += want;
    return memset(p, 0, want);
}

char *memory_text(struct memory *m, const char *text)
{
    size_t size = strlen(text) + 1;
    return memcpy(memory_new(m, size, 1), text, size);
}

int64_t *memory_ints(struct memory *m, const int64_t *ints, int64_t count)
{
    int64_t *copy = memory_new(m, (size_t)count + 1, sizeof *copy);
    if (count > 0)
        memcpy(copy, ints, (size_t)count * sizeof *copy);
    return copy;
}

uint8_t *memory_bytes(struct memory *m, const uint8_t *bytes, int64_t count)
{
    uint8_t *copy = memory_new(m, (size_t)count + 1, sizeof *copy);
    if (count > 0)
        memcpy(copy, bytes, (size_t)count);
    return copy;
}

void memory_free(struct memory *m)
{
    for (struct memory *c = m->children; c != NULL; c = c->next)
        memory_free(c);
    m->children = m->idle = NULL;
    while (m->blocks != NULL) {
        struct block *next = m->blocks->next;
        free(m->blocks);
        m->blocks = next;
    }
}

struct memory *memory_begin(struct memory *m)
{
    struct memory *child = m->idle;
    if (child != NULL) {
        m->idle = child->next;
    } else {
        child = memory_new(m, 1, sizeof *child);
        child->out = m->out;
    }
    child->next = m->children;
    m->children = child;
    return child;
}

void memory_end(struct memory *m, struct memory *child)
{
    struct memory **p = &m->children;
    while (*p != child)
        p = &(*p)->next;
    *p = child->next;
    memory_free(child);
    child->next = m->idle;
    m->idle = child;
}

/* The host says how large its error is: a later version may have more room,
 * and what an earlier one has not may not be written. */
assay_code memory_fail(assay_error *error, assay_code code, const char *format,
                       ...)
{
    if (error != NULL && ASSAY_HAS(assay_error, error, text)) {
        va_list list;
        va_start(list, format);
        vsnprintf(error->text, sizeof error->text, format, list);
        va_end(list);
    }
    return code;
}
