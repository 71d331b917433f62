/* share.h - the memory that the processes of a run share.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Nothing here has a lock, because any process may die at any point: a ring
 * has one producer and one consumer, a record exists once it is published and
 * until it is released, and a restarted process continues at the counters.
 * Waiting is short sleeps: records come in thousands, so no process waits for a
 * single one.
 *
 * A backend may overwrite what it shares, so a producer never reads back what
 * it wrote: it has its own copy to compare with (share_ring_intact).
 */
#ifndef RUNNER_PROCESS_SHARE_H
#define RUNNER_PROCESS_SHARE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    SHARE_SLOTS = 1024,
    SHARE_SOFT_BYTES = 8 << 20, /* a record starts below this offset */
};

struct share_slot {
    uint64_t offset, length;
    uint64_t seal; /* of these, its number, and the record */
};

/* What the processes share of a ring besides its data. */
struct share_state {
    _Atomic uint64_t head, tail; /* records published, and released */
    struct share_slot slots[SHARE_SLOTS];
};

/* Records of any length, in order, from one process to another.  Each process
 * has its own copy of where the ring lies and how long it is, so that a stray
 * write of the producer cannot lead another process out of it. */
struct share_ring {
    struct share_state *state;
    unsigned char *data; /* at the same address in all processes */
    uint64_t capacity;   /* bytes of data */
    bool unsealed; /* no backend can reach it: its records have no seals */
    /* The producer's copy of what only it writes in the state. */
    uint64_t head;
    struct share_slot slots[SHARE_SLOTS];
};

/* Zeroed memory that processes forked later share; NULL if there is none. */
void *share_map(uint64_t bytes);
void share_unmap(void *memory, uint64_t bytes);

/* Unmap all writable shared memory of this process, files included, except that
 * at the given addresses. */
void share_keep_only(const void *const *kept, int count);

/* NULL if there is no memory. */
struct share_ring *share_ring_new(uint64_t capacity);
/* Unmap it only in this process.  May be NULL. */
void share_ring_free(struct share_ring *ring);
/* Drop all records.  Neither producer nor consumer may be running. */
void share_ring_clear(struct share_ring *ring);
/* False if its counters are impossible: something has written into them. */
bool share_ring_whole(const struct share_ring *ring);

/* A process becomes the producer: it continues where the last one ended. */
void share_ring_begin(struct share_ring *ring);
/* Is the state as the producer left it?  Looks at what costs little. */
bool share_ring_intact(const struct share_ring *ring);

/* Make shared memory read-only for this process, or writable again. */
void share_shut(void *memory, uint64_t bytes, bool shut);
void share_ring_shut(struct share_ring *ring, bool shut);

/* Room for a record, or NULL while there is none.  Producer only. */
void *share_reserve(struct share_ring *ring, uint64_t length);
/* Could a record of that length ever fit? */
bool share_fits(const struct share_ring *ring, uint64_t length);
/* Publish the record that was reserved last, of this length. */
void share_publish(struct share_ring *ring, const void *record,
                   uint64_t length);
/* The oldest record, or NULL, also of a ring that is not whole.  Consumer only.
 * A slot or a record that was overwritten gives length 0. */
const void *share_front(const struct share_ring *ring, uint64_t *length);

/* The same without checking the seal: what it holds may be damaged. */
const void *share_peek(const struct share_ring *ring, uint64_t *length);

/* Private memory of the consumer; begins all zero. */
struct share_copy {
    unsigned char *bytes;
    uint64_t room;
};
/* Copy the oldest record, as share_front gives it: a backend that writes into
 * the ring while the record is being judged no longer changes anything.  NULL
 * without a record or without memory; errno is ENOMEM then, else 0. */
const void *share_copy(const struct share_ring *ring, struct share_copy *to,
                       uint64_t *length);
void share_copy_free(struct share_copy *copy);
void share_release(struct share_ring *ring);

/* Milliseconds of the monotonic clock. */
int64_t share_clock(void);
/* Sleep a little, longer each time; *turns begins at 0. */
void share_wait(int *turns);

#endif
