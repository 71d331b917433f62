/* ring.c - see ring.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "runner/process/ring.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#ifndef MAP_ANONYMOUS /* Linux and the BSDs have it; POSIX.1-2024 too */
#    define MAP_ANONYMOUS 0x20
#endif
#ifndef MAP_NORESERVE
#    define MAP_NORESERVE 0x4000
#endif

enum {
    /* Records that may be released and replaced between two reads. */
    READ_APART = 1 << 30,
    LANES = 4, /* of a seal: products that do not wait for one another */
    COPY_KEPT = 16 << 20,
    GONE_MAX = 8192,
    LINE_BYTES = 512,
    ALIGN = 64,
    SPINS = 64,
    SLEEP_MIN_NS = 20 * 1000,
    SLEEP_MAX_NS = 1000 * 1000
};

void *ring_map(uint64_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

void ring_unmap(void *memory, uint64_t bytes)
{
    if (memory)
        munmap(memory, bytes);
}

static bool is_kept(const void *const *kept, int count, uintptr_t first)
{
    for (int i = 0; i < count; i++)
        if ((uintptr_t)kept[i] == first)
            return true;
    return false;
}

void ring_keep_only(const void *const *kept, int count)
{
    uintptr_t gone[GONE_MAX][2];
    int n = 0;
    char line[LINE_BYTES], *at;
    FILE *f = fopen("/proc/self/maps", "r");
    while (f && n < GONE_MAX && fgets(line, sizeof line, f)) {
        uintptr_t first = (uintptr_t)strtoull(line, &at, 16);
        uintptr_t end = *at == '-' ? (uintptr_t)strtoull(at + 1, &at, 16) : 0;
        if (end > first && strncmp(at, " rw-s", 5) == 0
            && !is_kept(kept, count, first)) {
            gone[n][0] = first;
            gone[n++][1] = end - first;
        }
    }
    if (f)
        fclose(f);
    /* Not while the list is being read: it would change. */
    for (int i = 0; i < n; i++)
        munmap((void *)gone[i][0], gone[i][1]);
}

struct ring *ring_new(uint64_t capacity)
{
    struct ring *ring = calloc(1, sizeof *ring);
    if (!ring)
        return NULL;
    ring->capacity = capacity;
    ring->state = ring_map(sizeof *ring->state);
    ring->data = ring_map(capacity);
    if (ring->state && ring->data)
        return ring;
    ring_free(ring);
    return NULL;
}

void ring_free(struct ring *ring)
{
    if (!ring)
        return;
    ring_unmap(ring->data, ring->capacity);
    ring_unmap(ring->state, sizeof *ring->state);
    free(ring);
}

void ring_clear(struct ring *ring)
{
    ring->head = 0;
    atomic_store(&ring->state->head, 0);
    atomic_store(&ring->state->tail, 0);
}

/* The tail is read first: it only grows, and never beyond the head. */
bool ring_whole(const struct ring *ring)
{
    uint64_t tail = atomic_load(&ring->state->tail);
    return atomic_load(&ring->state->head) - tail
           <= (uint64_t)RING_SLOTS + READ_APART;
}

void ring_begin(struct ring *ring)
{
    ring->head = atomic_load(&ring->state->head);
    memcpy(ring->slots, ring->state->slots, sizeof ring->slots);
}

static bool same_slot(const struct ring *ring, uint64_t number)
{
    uint64_t i = number % RING_SLOTS;
    return memcmp(&ring->slots[i], &ring->state->slots[i], sizeof *ring->slots)
           == 0;
}

/* Looks at the oldest and the newest slot: what overwrites others begins or
 * ends there, or is seen by the consumer. */
bool ring_intact(const struct ring *ring)
{
    uint64_t tail = atomic_load(&ring->state->tail);
    return atomic_load(&ring->state->head) == ring->head
           && ring->head - tail <= RING_SLOTS && same_slot(ring, tail)
           && same_slot(ring, ring->head - 1);
}

void ring_protect(void *memory, uint64_t bytes, bool shut)
{
    mprotect(memory, bytes, shut ? PROT_READ : PROT_READ | PROT_WRITE);
}

void ring_shut(struct ring *ring, bool shut)
{
    ring_protect(ring->state, sizeof *ring->state, shut);
    ring_protect(ring->data, ring->capacity, shut);
}

static const uint64_t SEAL_FACTOR = UINT64_C(0x100000001b3); /* FNV's */

static uint64_t align(uint64_t n)
{
    return (n + ALIGN - 1) & ~(uint64_t)(ALIGN - 1);
}

bool ring_fits(const struct ring *ring, uint64_t length)
{
    return length <= ring->capacity - RING_SOFT_BYTES;
}

/* Live records lie in [first, end), or, once wrapped, in [first, ...) and
 * [0, end). */
void *ring_reserve(struct ring *ring, uint64_t length)
{
    uint64_t head = ring->head, tail = atomic_load(&ring->state->tail);
    if (head - tail >= RING_SLOTS)
        return NULL;
    if (head == tail)
        return ring_fits(ring, length) ? ring->data : NULL;
    const struct ring_slot *last = &ring->slots[(head - 1) % RING_SLOTS];
    uint64_t first = ring->slots[tail % RING_SLOTS].offset;
    uint64_t end = align(last->offset + last->length);
    if (last->offset >= first) {
        if (end < RING_SOFT_BYTES && length <= ring->capacity - end)
            return ring->data + end;
        return length <= first ? ring->data : NULL;
    }
    return end + length <= first ? ring->data + end : NULL;
}

/* Not a protection against malice: it keeps stray writes from becoming results.
 * */
static uint64_t seal_of(const struct ring_slot *slot, uint64_t number,
                        const unsigned char *record)
{
    uint64_t h[LANES], words[LANES], n = slot->length, rest = n % sizeof words;
    for (int i = 0; i < LANES; i++)
        h[i] = (slot->offset ^ number << 32 ^ slot->length << i) * SEAL_FACTOR
               + (uint64_t)i + 1;
    for (uint64_t at = 0; at < n - rest; at += sizeof words) {
        memcpy(words, record + at, sizeof words);
        for (int i = 0; i < LANES; i++)
            h[i] = (h[i] ^ words[i]) * SEAL_FACTOR ^ h[i] >> 32;
    }
    memset(words, 0, sizeof words);
    memcpy(words, record + n - rest, rest);
    uint64_t seal = n;
    for (int i = 0; i < LANES; i++)
        seal =
            (seal ^ (h[i] ^ words[i]) * SEAL_FACTOR) * SEAL_FACTOR ^ h[i] >> 32;
    return seal;
}

void ring_publish(struct ring *ring, const void *record, uint64_t length)
{
    uint64_t head = ring->head;
    struct ring_slot *slot = &ring->slots[head % RING_SLOTS];
    slot->offset = (uint64_t)((const unsigned char *)record - ring->data);
    slot->length = length;
    slot->seal = ring->unsealed ? 0 : seal_of(slot, head, record);
    ring->state->slots[head % RING_SLOTS] = *slot;
    ring->head = head + 1;
    atomic_store(&ring->state->head, head + 1);
}

/* The oldest record's slot, if it lies inside the ring. */
static bool front_slot(const struct ring *ring, struct ring_slot *slot,
                       uint64_t *number, bool *inside)
{
    uint64_t tail = atomic_load(&ring->state->tail);
    if (atomic_load(&ring->state->head) - tail - 1 >= RING_SLOTS)
        return false;
    *slot = ring->state->slots[tail % RING_SLOTS];
    *number = tail;
    *inside = slot->offset <= ring->capacity
              && slot->length <= ring->capacity - slot->offset;
    return true;
}

const void *ring_peek(const struct ring *ring, uint64_t *length)
{
    struct ring_slot slot;
    uint64_t number;
    bool inside;
    if (!front_slot(ring, &slot, &number, &inside))
        return NULL;
    *length = inside ? slot.length : 0;
    return ring->data + (inside ? slot.offset : 0);
}

const void *ring_front(const struct ring *ring, uint64_t *length)
{
    struct ring_slot slot;
    uint64_t number;
    bool inside;
    if (!front_slot(ring, &slot, &number, &inside))
        return NULL;
    const unsigned char *record = ring->data + (inside ? slot.offset : 0);
    bool whole =
        inside
        && (ring->unsealed || seal_of(&slot, number, record) == slot.seal);
    *length = whole ? slot.length : 0;
    return whole ? record : ring->data;
}

/* A record without bytes has a copy, too. */
static bool make_room(struct ring_copy *to, uint64_t length)
{
    if (to->bytes && length <= to->room && to->room <= COPY_KEPT)
        return true;
    free(to->bytes);
    to->room = length < COPY_KEPT ? COPY_KEPT : length;
    to->bytes = malloc(to->room);
    return to->bytes != NULL;
}

const void *ring_copy(const struct ring *ring, struct ring_copy *to,
                      uint64_t *length)
{
    struct ring_slot slot;
    uint64_t number;
    bool inside;
    errno = 0;
    if (!front_slot(ring, &slot, &number, &inside))
        return NULL;
    *length = inside ? slot.length : 0;
    if (!make_room(to, *length)) {
        *to = (struct ring_copy){0};
        errno = ENOMEM;
        return NULL;
    }
    memcpy(to->bytes, ring->data + (inside ? slot.offset : 0), *length);
    if (!inside || seal_of(&slot, number, to->bytes) != slot.seal)
        *length = 0;
    return to->bytes;
}

void ring_copy_free(struct ring_copy *copy)
{
    free(copy->bytes);
    *copy = (struct ring_copy){0};
}

void ring_release(struct ring *ring)
{
    atomic_fetch_add(&ring->state->tail, 1);
}

int64_t ring_clock_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int64_t ring_clock(void)
{
    return ring_clock_ns() / 1000000;
}

void ring_wait(int *turns)
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
