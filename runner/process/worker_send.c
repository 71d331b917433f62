/* worker_send.c - what came out of a case, for the judge.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * test_worker.c tests this.
 */
#include <stdio.h>
#include <string.h>

#include "runner/process/worker_private.h"

static uint64_t round8(uint64_t n)
{
    return (n + 7) & ~UINT64_C(7);
}

static void send_bytes(unsigned char **to, const void *data, uint64_t bytes)
{
    if (*to) {
        if (bytes > 0)
            memcpy(*to, data, bytes);
        *to += round8(bytes);
    }
}

/* Append an output, or only count its bytes if *to is NULL. */
static uint64_t put_output(unsigned char **to, const assay_output *o,
                           uint64_t capacity)
{
    struct job_output head = {.bytes = o->bytes, .rank = o->rank};
    memcpy(head.dtype, o->dtype, sizeof head.dtype);
    head.dtype[sizeof head.dtype - 1] = '\0';
    head.dims = o->rank > 0 && o->rank <= SHAPE_RANK_MAX ? o->rank : 0;
    head.data_bytes = worker_output_held(o, capacity);
    uint64_t dims = (uint64_t)head.dims * sizeof *o->dims;
    send_bytes(to, &head, sizeof head);
    send_bytes(to, o->dims, dims);
    send_bytes(to, o->sizes, dims);
    send_bytes(to, o->data, head.data_bytes);
    return sizeof head + 2 * dims + round8(head.data_bytes);
}

static uint64_t put_outfed(unsigned char **to, const struct worker_outfed *o)
{
    struct job_output head = {.replica = o->replica, .dtype = "malformed"};
    if (!o->value) {
        send_bytes(to, &head, sizeof head);
        return sizeof head;
    }
    const struct shape *s = o->value->shape;
    bool array = s->kind == SHAPE_ARRAY;
    snprintf(head.dtype, sizeof head.dtype, "%s",
             array ? dtype_table[s->dtype].name : "token");
    head.rank = head.dims = array ? s->rank : 0;
    head.bytes = head.data_bytes = array ? (uint64_t)shape_bytes(s) : 0;
    uint64_t dims = (uint64_t)head.dims * sizeof *s->dims;
    send_bytes(to, &head, sizeof head);
    send_bytes(to, s->dims, dims);
    send_bytes(to, s->dims, dims);
    send_bytes(to, o->value->data, head.data_bytes);
    return sizeof head + 2 * dims + round8(head.data_bytes);
}

static uint64_t put_all(struct worker *w, unsigned char *to)
{
    uint64_t n = round8(sizeof w->record);
    send_bytes(&to, &w->record, sizeof w->record);
    for (int run = 0; run < 2; run++) {
        assay_output *const *out = run == 0 ? w->outputs : w->outputs2;
        if (run == 1 && !(w->record.flags & JOB_TWICE))
            break;
        for (int i = 0; i < w->record.output_count; i++)
            n += put_output(&to, out[i],
                            w->room.sizes[i % w->program->output_count]);
    }
    for (const struct worker_outfed *o = w->outfeed; o; o = o->next)
        n += put_outfed(&to, o);
    for (const struct worker_outfed *o = w->outfeed2; o; o = o->next)
        n += put_outfed(&to, o);
    return n;
}

void worker_send(struct worker *w)
{
    struct ring *ring = w->job->outputs;
    uint64_t bytes = put_all(w, NULL);
    if (!ring_fits(ring, bytes)) {
        w->record.flags |= JOB_TOO_LARGE;
        w->record.output_count = 0;
        w->record.outfeed_count = w->record.outfeed2_count = 0;
        w->record.flags &= ~(uint32_t)JOB_TWICE;
        w->outfeed = NULL;
        w->outfeed2 = NULL;
        bytes = put_all(w, NULL);
    }
    worker_enter(w, JOB_SEND);
    unsigned char *to = ring_reserve(ring, bytes);
    if (!to)
        worker_enter(w, JOB_WAIT);
    for (int turns = 0; !to; to = ring_reserve(ring, bytes))
        ring_wait(&turns);
    put_all(w, to);
    /* From here on the case is settled. */
    worker_taken(w, w->position + 1, atomic_load(&w->left.end));
    worker_at(w, -1);
    ring_publish(ring, to, bytes);
    w->sent++;
}
