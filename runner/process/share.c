/* share.c - see share.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "runner/process/share.h"

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

void *share_map(uint64_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

void share_unmap(void *memory, uint64_t bytes)
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

void share_keep_only(const void *const *kept, int count)
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

struct share_ring *share_ring_new(uint64_t capacity)
{
    struct share_ring *ring = calloc(1, sizeof *ring);
    if (!ring)
        return NULL;
    ring->capacity = capacity;
    ring->state = share_map(sizeof *ring->state);
    ring->data = share_map(capacity);
    if (ring->state && ring->data)
        return ring;
    share_ring_free(ring);
    return NULL;
}

void share_ring_free(struct share_ring *ring)
{
    if (!ring)
        return;
    share_unmap(ring->data, ring->capacity);
    share_unmap(ring->state, sizeof *ring->state);
    free(ring);
}

void share_ring_clear(struct share_ring *ring)
{
    ring->head = 0;
    atomic_store(&ring->state->head, 0);
    atomic_store(&ring->state->tail, 0);
}

/* The tail is read first: it only grows, and never beyond the head. */
bool share_ring_whole(const struct share_ring *ring)
{
    uint64_t tail = atomic_load(&ring->state->tail);
    return atomic_load(&ring->state->head) - tail
           <= (uint64_t)SHARE_SLOTS + READ_APART;
}

void share_ring_begin(struct share_ring *ring)
{
    ring->head = atomic_load(&ring->state->head);
    memcpy(ring->slots, ring->state->slots, sizeof ring->slots);
}

static bool same_slot(const struct share_ring *ring, uint64_t number)
{
    uint64_t i = number % SHARE_SLOTS;
    return memcmp(&ring->slots[i], &ring->state->slots[i], sizeof *ring->slots)
           == 0;
}

/* Of the slots the oldest and the newest: what overwrites others begins or ends
 * there, or is seen by the consumer. */
bool share_ring_intact(const struct share_ring *ring)
{
    uint64_t tail = atomic_load(&ring->state->tail);
    return atomic_load(&ring->state->head) == ring->head
           && ring->head - tail <= SHARE_SLOTS && same_slot(ring, tail)
           && same_slot(ring, ring->head - 1);
}

void share_shut(void *memory, uint64_t bytes, bool shut)
{
    mprotect(memory, bytes, shut ? PROT_READ : PROT_READ | PROT_WRITE);
}

void share_ring_shut(struct share_ring *ring, bool shut)
{
    share_shut(ring->state, sizeof *ring->state, shut);
    share_shut(ring->data, ring->capacity, shut);
}

static const uint64_t SEAL_FACTOR = UINT64_C(0x100000001b3); /* FNV's */

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
    uint64_t head = ring->head, tail = atomic_load(&ring->state->tail);
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

/* Not a protection against malice: it keeps stray writes from becoming results.
 * */
static uint64_t seal_of(const struct share_slot *slot, uint64_t number,
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

void share_publish(struct share_ring *ring, const void *record, uint64_t length)
{
    uint64_t head = ring->head;
    struct share_slot *slot = &ring->slots[head % SHARE_SLOTS];
    slot->offset = (uint64_t)((const unsigned char *)record - ring->data);
    slot->length = length;
    slot->seal = ring->unsealed ? 0 : seal_of(slot, head, record);
    ring->state->slots[head % SHARE_SLOTS] = *slot;
    ring->head = head + 1;
    atomic_store(&ring->state->head, head + 1);
}

/* The oldest record's slot, if it lies inside the ring. */
static bool front_slot(const struct share_ring *ring, struct share_slot *slot,
                       uint64_t *number, bool *inside)
{
    uint64_t tail = atomic_load(&ring->state->tail);
    if (atomic_load(&ring->state->head) - tail - 1 >= SHARE_SLOTS)
        return false;
    *slot = ring->state->slots[tail % SHARE_SLOTS];
    *number = tail;
    *inside = slot->offset <= ring->capacity
              && slot->length <= ring->capacity - slot->offset;
    return true;
}

const void *share_peek(const struct share_ring *ring, uint64_t *length)
{
    struct share_slot slot;
    uint64_t number;
    bool inside;
    if (!front_slot(ring, &slot, &number, &inside))
        return NULL;
    *length = inside ? slot.length : 0;
    return ring->data + (inside ? slot.offset : 0);
}

const void *share_front(const struct share_ring *ring, uint64_t *length)
{
    struct share_slot slot;
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
static bool make_room(struct share_copy *to, uint64_t length)
{
    if (to->bytes && length <= to->room && to->room <= COPY_KEPT)
        return true;
    free(to->bytes);
    to->room = length < COPY_KEPT ? COPY_KEPT : length;
    to->bytes = malloc(to->room);
    return to->bytes != NULL;
}

const void *share_copy(const struct share_ring *ring, struct share_copy *to,
                       uint64_t *length)
{
    struct share_slot slot;
    uint64_t number;
    bool inside;
    errno = 0;
    if (!front_slot(ring, &slot, &number, &inside))
        return NULL;
    *length = inside ? slot.length : 0;
    if (!make_room(to, *length)) {
        *to = (struct share_copy){0};
        errno = ENOMEM;
        return NULL;
    }
    memcpy(to->bytes, ring->data + (inside ? slot.offset : 0), *length);
    if (!inside || seal_of(&slot, number, to->bytes) != slot.seal)
        *length = 0;
    return to->bytes;
}

void share_copy_free(struct share_copy *copy)
{
    free(copy->bytes);
    *copy = (struct share_copy){0};
}

void share_release(struct share_ring *ring)
{
    atomic_fetch_add(&ring->state->tail, 1);
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
