/* share.c - see share.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "runner/share.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

#ifndef MAP_ANONYMOUS /* Linux and the BSDs have it; POSIX.1-2024 too */
#    define MAP_ANONYMOUS 0x20
#endif
#ifndef MAP_NORESERVE
#    define MAP_NORESERVE 0x4000
#endif

enum {
    EXIT_NO_MEMORY = 71,
    ALIGN = 64,
    SPINS = 64,
    SLEEP_MIN_NS = 20 * 1000,
    SLEEP_MAX_NS = 1000 * 1000
};

void *share_map(uint64_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p != MAP_FAILED)
        return p;
    perror("assay: shared memory");
    exit(EXIT_NO_MEMORY);
}

void share_unmap(void *memory, uint64_t bytes)
{
    munmap(memory, bytes);
}

struct share_ring *share_ring_new(uint64_t capacity)
{
    struct share_ring *ring = share_map(sizeof *ring);
    ring->capacity = capacity;
    ring->data = share_map(capacity);
    return ring;
}

void share_ring_free(struct share_ring *ring)
{
    share_unmap(ring->data, ring->capacity);
    share_unmap(ring, sizeof *ring);
}

static uint64_t align(uint64_t n)
{
    return (n + ALIGN - 1) & ~(uint64_t)(ALIGN - 1);
}

bool share_fits(const struct share_ring *ring, uint64_t length)
{
    return length <= ring->capacity - SHARE_SOFT_BYTES;
}

/* Live records lie in [first, end), or, once wrapped, in [first, ...) and
 * [0, end). */
void *share_reserve(struct share_ring *ring, uint64_t length)
{
    uint64_t head = atomic_load(&ring->head), tail = atomic_load(&ring->tail);
    if (head - tail >= SHARE_SLOTS)
        return NULL;
    if (head == tail)
        return share_fits(ring, length) ? ring->data : NULL;
    const struct share_slot *last = &ring->slots[(head - 1) % SHARE_SLOTS];
    uint64_t first = ring->slots[tail % SHARE_SLOTS].offset;
    uint64_t end = align(last->offset + last->length);
    if (last->offset >= first) {
        if (end < SHARE_SOFT_BYTES && length <= ring->capacity - end)
            return ring->data + end;
        return length <= first ? ring->data : NULL;
    }
    return end + length <= first ? ring->data + end : NULL;
}

void share_publish(struct share_ring *ring, const void *record, uint64_t length)
{
    uint64_t head = atomic_load(&ring->head);
    struct share_slot *slot = &ring->slots[head % SHARE_SLOTS];
    slot->offset = (uint64_t)((const unsigned char *)record - ring->data);
    slot->length = length;
    atomic_store(&ring->head, head + 1);
}

const void *share_front(const struct share_ring *ring, uint64_t *length)
{
    uint64_t tail = atomic_load(&ring->tail);
    if (atomic_load(&ring->head) == tail)
        return NULL;
    const struct share_slot *slot = &ring->slots[tail % SHARE_SLOTS];
    uint64_t offset = slot->offset, n = slot->length;
    bool inside = offset <= ring->capacity && n <= ring->capacity - offset;
    *length = inside ? n : 0;
    return ring->data + (inside ? offset : 0);
}

void share_release(struct share_ring *ring)
{
    atomic_fetch_add(&ring->tail, 1);
}

int64_t share_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

void share_wait(int *turns)
{
    int n = (*turns)++;
    if (n < SPINS)
        return;
    long ns = SLEEP_MIN_NS;
    for (int i = SPINS; i < n && ns < SLEEP_MAX_NS; i += 8)
        ns *= 2;
    struct timespec t = {0, ns < SLEEP_MAX_NS ? ns : SLEEP_MAX_NS};
    nanosleep(&t, NULL);
}
