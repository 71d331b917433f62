/* judge_given.c - see judge.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "interp/base/text.h"
#include "runner/process/judge.h"

struct reader {
    const unsigned char *at, *end;
};

static const void *take_bytes(struct reader *r, uint64_t bytes)
{
    const unsigned char *p = r->at;
    uint64_t whole = (bytes + 7) & ~UINT64_C(7);
    if (whole < bytes || whole > (uint64_t)(r->end - r->at))
        return NULL;
    r->at += whole;
    return p;
}

static bool read_output(struct arena *a, struct reader *r,
                        struct judge_given *to)
{
    const struct job_output *head = take_bytes(r, sizeof *head);
    if (!head || head->dims < 0 || head->dims > SHAPE_RANK_MAX)
        return false;
    uint64_t dims = (uint64_t)head->dims * sizeof(int64_t);
    char *dtype = arena_alloc(a, sizeof head->dtype);
    memcpy(dtype, head->dtype, sizeof head->dtype);
    if (!memchr(dtype, '\0', sizeof head->dtype))
        return false;
    text_clean(dtype, sizeof head->dtype, dtype);
    to->got.dtype = dtype;
    to->got.rank = head->rank;
    to->got.bytes = head->bytes;
    to->got.held = head->data_bytes;
    to->got.dims = take_bytes(r, dims);
    to->got.sizes = take_bytes(r, dims);
    to->got.data = take_bytes(r, head->data_bytes);
    to->replica = head->replica;
    /* The sizes that verdict_layout may read are there. */
    bool none = head->rank < 0 || head->rank > SHAPE_RANK_MAX;
    return to->got.dims && to->got.sizes && to->got.data
           && head->dims == (none ? 0 : head->rank);
}

static bool read_outputs(struct arena *a, struct reader *r, int32_t count,
                         struct judge_given **to)
{
    if (count < 0 || (uint64_t)count > (uint64_t)(r->end - r->at))
        return false;
    *to = arena_new(a, struct judge_given, (size_t)count + 1);
    for (int32_t i = 0; i < count; i++)
        if (!read_output(a, r, &(*to)[i]))
            return false;
    return true;
}

bool judge_given_read(struct arena *a, const void *bytes, uint64_t length,
                      struct judge_given_record *record)
{
    struct reader r = {bytes, (const unsigned char *)bytes + length};
    const struct job_record *sent = take_bytes(&r, sizeof *sent);
    if (!sent)
        return false;
    /* A copy: a stray thread may still write to what was sent. */
    struct job_record *head = arena_new(a, struct job_record, 1);
    *head = *sent;
    if (!memchr(head->text, '\0', sizeof head->text))
        return false;
    text_clean(head->text, sizeof head->text, head->text);
    record->head = head;
    if (!read_outputs(a, &r, head->output_count, &record->outputs))
        return false;
    if (head->flags & JOB_TWICE
        && !read_outputs(a, &r, head->output_count, &record->outputs2))
        return false;
    return read_outputs(a, &r, head->outfeed_count, &record->outfeed)
           && read_outputs(a, &r, head->outfeed2_count, &record->outfeed2);
}

void judge_given_hash(struct hash *h, const struct judge_given *list, int count)
{
    for (int i = 0; i < count; i++) {
        const struct verdict_got *g = &list[i].got;
        hash_int(h, (uint64_t)list[i].replica);
        hash_text(h, g->dtype);
        hash_int(h, g->bytes);
        hash_int(h, (uint64_t)(int64_t)g->rank);
        /* A rank that no array has comes without sizes. */
        bool none = g->rank < 0 || g->rank > SHAPE_RANK_MAX;
        uint64_t dims = none ? 0 : (uint64_t)g->rank * sizeof *g->dims;
        hash_bytes(h, g->dims, dims);
        hash_bytes(h, g->sizes, dims);
        hash_bytes(h, g->data, g->held);
    }
}
