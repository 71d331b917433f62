/* ring.h - records from one process to another, in memory that they share.
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
 * it wrote: it has its own copy to compare with (ring_intact).
 */
#ifndef RUNNER_PROCESS_RING_H
#define RUNNER_PROCESS_RING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    RING_SLOTS = 1024,
    RING_SOFT_BYTES = 8 << 20, /* a record starts below this offset */
};

struct ring_slot {
    uint64_t offset, length;
    uint64_t seal; /* of these, its number, and the record */
};

/* The part of a ring that the processes share, besides its data. */
struct ring_state {
    _Atomic uint64_t head, tail; /* records published, and released */
    struct ring_slot slots[RING_SLOTS];
};

/* Records of any length, in order, from one process to another.  Each process
 * has its own copy of where the ring lies and how long it is, so that a stray
 * write of the producer cannot lead another process out of it. */
struct ring {
    struct ring_state *state;
    unsigned char *data; /* at the same address in all processes */
    uint64_t capacity;   /* bytes of data */
    bool unsealed; /* no backend can reach it: its records have no seals */
    /* The producer's copy of what only it writes in the state. */
    uint64_t head;
    struct ring_slot slots[RING_SLOTS];
};

/* Zeroed memory that processes forked later share; NULL if there is none. */
void *ring_map(uint64_t bytes);
void ring_unmap(void *memory, uint64_t bytes);

/* Unmap all writable shared memory of this process, files included, except that
 * at the given addresses. */
void ring_keep_only(const void *const *kept, int count);

/* NULL if there is no memory. */
struct ring *ring_new(uint64_t capacity);
/* Unmap it only in this process.  May be NULL. */
void ring_free(struct ring *ring);
/* Drop all records.  Neither producer nor consumer may be running. */
void ring_clear(struct ring *ring);
/* False if its counters are impossible: something has written into them. */
bool ring_whole(const struct ring *ring);

/* A process becomes the producer: it continues where the last one ended. */
void ring_begin(struct ring *ring);
/* Is the state as the producer left it?  Looks at what costs little. */
bool ring_intact(const struct ring *ring);

/* Make shared memory read-only for this process, or writable again. */
void ring_protect(void *memory, uint64_t bytes, bool shut);
void ring_shut(struct ring *ring, bool shut);

/* Room for a record, or NULL while there is none.  Producer only. */
void *ring_reserve(struct ring *ring, uint64_t length);
/* Could a record of that length ever fit? */
bool ring_fits(const struct ring *ring, uint64_t length);
/* Publish the record that was reserved last, of this length. */
void ring_publish(struct ring *ring, const void *record, uint64_t length);
/* The oldest record, or NULL, also of a ring that is not whole.  Consumer only.
 * A slot or a record that was overwritten gives length 0. */
const void *ring_front(const struct ring *ring, uint64_t *length);

/* The same without checking the seal: what it holds may be damaged. */
const void *ring_peek(const struct ring *ring, uint64_t *length);

/* Private memory of the consumer; begins all zero. */
struct ring_copy {
    unsigned char *bytes;
    uint64_t room;
};
/* Copy the oldest record, as ring_front gives it: a backend that writes into
 * the ring while the record is being judged no longer changes anything.  NULL
 * without a record or without memory; errno is ENOMEM then, else 0. */
const void *ring_copy(const struct ring *ring, struct ring_copy *to,
                      uint64_t *length);
void ring_copy_free(struct ring_copy *copy);
void ring_release(struct ring *ring);

/* The monotonic clock, in milliseconds and in nanoseconds. */
int64_t ring_clock(void);
int64_t ring_clock_ns(void);
/* Sleep a little, longer each time; *turns begins at 0. */
void ring_wait(int *turns);

#endif
