/* test_ring.c - rings: order, wrapping, a full ring, another process.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "interp/base/random.h"
#include "interp/test/tap.h"
#include "runner/process/ring.h"

enum {
    CAPACITY = 3 * RING_SOFT_BYTES
};

/* A record of a length and content that follow from its number. */
static uint64_t length_of(uint64_t i)
{
    struct random r = {i};
    uint64_t x = random_next(&r);
    return 8 + (x % 64 == 0 ? x % (RING_SOFT_BYTES / 2) : x % 3000);
}

static bool is_whole(const unsigned char *p, uint64_t length, uint64_t i)
{
    uint64_t number;
    memcpy(&number, p, 8);
    if (number != i || length != length_of(i))
        return false;
    for (uint64_t k = 8; k < length; k += 97)
        if (p[k] != (unsigned char)(i + k))
            return false;
    return length == 8 || p[length - 1] == (unsigned char)(i + length - 1);
}

static bool produce(struct ring *ring, uint64_t i)
{
    uint64_t n = length_of(i);
    unsigned char *p = ring_reserve(ring, n);
    if (!p)
        return false;
    for (uint64_t k = 8; k < n; k++)
        p[k] = (unsigned char)(i + k);
    memcpy(p, &i, 8);
    ring_publish(ring, p, n);
    return true;
}

static void one_process(void)
{
    struct ring *ring = ring_new(CAPACITY);
    struct random r = {7};
    uint64_t made = 0, seen = 0, length, full = 0;
    bool good = true;
    OK(ring_front(ring, &length) == NULL, "an empty ring has no record");
    while (seen < 4000) {
        for (uint64_t n = random_next(&r) % 1500; n > 0; n--) {
            if (!produce(ring, made)) {
                full++;
                break;
            }
            made++;
        }
        for (uint64_t n = random_next(&r) % 1500; n > 0 && seen < made; n--) {
            const void *p = ring_front(ring, &length);
            good = good && p && is_whole(p, length, seen);
            ring_release(ring);
            seen++;
        }
    }
    OK(good, "4000 records come out whole and in order");
    OK(full > 0, "and the ring was full at times (%d)", (int)full);
    OK(!ring_fits(ring, CAPACITY), "a record that never fits is told");
    OK(ring_reserve(ring, UINT64_C(1) << 40) == NULL, "and has no room");
    ring_free(ring);
}

static void two_processes(void)
{
    struct ring *ring = ring_new(CAPACITY);
    bool good = true;
    int turns = 0, status;
    pid_t pid = fork();
    if (pid == 0) {
        for (uint64_t i = 0; i < 4000;)
            if (produce(ring, i))
                i++, turns = 0;
            else
                ring_wait(&turns);
        _exit(0);
    }
    for (uint64_t i = 0; i < 4000 && good;) {
        uint64_t length;
        const void *p = ring_front(ring, &length);
        if (!p) {
            ring_wait(&turns);
            continue;
        }
        turns = 0;
        good = is_whole(p, length, i++);
        ring_release(ring);
    }
    waitpid(pid, &status, 0);
    OK(good, "4000 records from another process are whole and in order");
    ring_free(ring);
}

/* What is overwritten after it was copied stays as it was. */
static void copied(struct ring *ring)
{
    struct ring_copy copy = {0};
    uint64_t length, n = length_of(1);
    ring_clear(ring);
    OK(!ring_copy(ring, &copy, &length) && errno == 0,
       "an empty ring has nothing to copy");
    produce(ring, 1);
    const unsigned char *p = ring_copy(ring, &copy, &length);
    memset(ring->data, 0, n);
    OK(p && is_whole(p, length, 1), "a copy is out of the producer's reach");
    for (uint64_t at = 0; at < n; at += n - 1) {
        ring_clear(ring);
        produce(ring, 1);
        ring->data[at] ^= 0x80;
        OK(ring_copy(ring, &copy, &length) && length == 0,
           "a record whose byte %d was overwritten is not a record", (int)at);
    }
    ring_copy_free(&copy);
}

static void damaged(void)
{
    struct ring *ring = ring_new(CAPACITY);
    uint64_t length = 1;
    produce(ring, 1);
    OK(ring_whole(ring), "a ring is whole");
    ring->state->slots[0].offset = UINT64_MAX - 4;
    const void *p = ring_front(ring, &length);
    OK(p == ring->data && length == 0,
       "a slot outside the ring is a record of no bytes");
    ring_clear(ring);
    produce(ring, 1);
    ring->data[9] ^= 1;
    OK(ring_front(ring, &length) && length == 0,
       "nor has a record whose beginning was overwritten any");
    copied(ring);
    memset(ring->data, 0, 4096);
    memset(ring->state->slots, 0, sizeof ring->state->slots);
    OK(ring_front(ring, &length) && length == 0, "with zeros, too");
    atomic_store(&ring->state->head, UINT64_MAX / 2);
    OK(!ring_front(ring, &length) && !ring_whole(ring),
       "a head that cannot be is seen, and gives no record");
    ring_clear(ring);
    OK(!ring_front(ring, &length) && ring_whole(ring),
       "a cleared ring is whole");
    atomic_store(&ring->state->tail, 5);
    OK(!ring_front(ring, &length) && !ring_whole(ring),
       "nor is a tail beyond the head");
    ring_free(ring);
}

/* A producer does not trust what it can see others overwrite. */
static void producer(void)
{
    struct ring *ring = ring_new(CAPACITY);
    struct ring_state good;
    uint64_t length;
    OK(ring_intact(ring), "an empty ring is intact");
    for (uint64_t i = 0; i < 3; i++)
        produce(ring, i);
    ring_release(ring);
    OK(ring_intact(ring), "and one with records that come and go");
    good = *ring->state;
    atomic_store(&ring->state->head, 4);
    OK(!ring_intact(ring), "another head is seen");
    *ring->state = good;
    atomic_store(&ring->state->tail, 4);
    OK(!ring_intact(ring), "and a tail beyond it");
    *ring->state = good;
    ring->state->slots[1].offset++;
    OK(!ring_intact(ring), "and another oldest record");
    *ring->state = good;
    ring->state->slots[2].length++;
    OK(!ring_intact(ring), "and another newest one");
    memset(ring->state->slots, 0x7f, sizeof ring->state->slots);
    OK(produce(ring, 3) && memcmp(ring->data, &(uint64_t){0}, 8) == 0,
       "the next record goes where there is room all the same");
    *ring->state = good;
    ring->head = 0;
    ring_begin(ring);
    OK(ring_intact(ring) && ring->head == 3,
       "another producer continues where the last one ended");
    OK(ring_front(ring, &length) && length == length_of(1),
       "and nothing is lost");
    ring_free(ring);
}

static void kept(void)
{
    int status;
    char *mine = ring_map(4096), *other = ring_map(4096);
    pid_t pid = fork();
    if (pid == 0) {
        const void *const only[] = {mine};
        ring_keep_only(only, 1);
        mine[0] = 1;
        other[0] = 1; /* SIGSEGV */
        _exit(0);
    }
    waitpid(pid, &status, 0);
    OK(WIFSIGNALED(status) && mine[0] == 1 && other[0] == 0,
       "what is not kept is out of reach");
    ring_unmap(mine, 4096);
    ring_unmap(other, 4096);
}

/* ---- Where records lie --------------------------------------------------- */

/* Publish a record of that length; where it lies, or -1 if there is no room. */
static int64_t put_bytes(struct ring *ring, uint64_t length)
{
    unsigned char *p = ring_reserve(ring, length);
    if (p)
        ring_publish(ring, p, length);
    return p ? p - ring->data : -1;
}

/* Where a record of that length would lie, or -1. */
static int64_t place(struct ring *ring, uint64_t length)
{
    const unsigned char *p = ring_reserve(ring, length);
    return p ? p - ring->data : -1;
}

static void places(void)
{
    const int64_t soft = RING_SOFT_BYTES, most = CAPACITY - soft;
    struct ring *ring = ring_new(CAPACITY);
    OK(ring_fits(ring, (uint64_t)most) && !ring_fits(ring, (uint64_t)most + 1)
           && place(ring, (uint64_t)most) == 0
           && place(ring, (uint64_t)most + 1) == -1,
       "an empty ring takes all that fits and no more");
    OK(put_bytes(ring, 64) == 0 && put_bytes(ring, 65) == 64
           && put_bytes(ring, 1) == 192 && put_bytes(ring, 0) == 256
           && put_bytes(ring, 8) == 256,
       "records begin at multiples of 64 bytes");
    ring_clear(ring);
    OK(put_bytes(ring, (uint64_t)soft) == 0 && place(ring, 1) == -1,
       "no record begins beyond the offset for beginnings");
    ring_clear(ring);
    put_bytes(ring, (uint64_t)soft - 64);
    OK(place(ring, (uint64_t)(CAPACITY - soft) + 64) == soft - 64
           && place(ring, (uint64_t)(CAPACITY - soft) + 65) == -1,
       "one that begins before it may reach to the end");
    OK(put_bytes(ring, 64) == soft - 64 && place(ring, 1) == -1,
       "a full ring has no room at its beginning");
    ring_release(ring);
    OK(place(ring, (uint64_t)soft - 63) == -1
           && place(ring, (uint64_t)soft - 64) == 0,
       "what is released there is room, up to the oldest record");
    OK(put_bytes(ring, 64) == 0 && place(ring, (uint64_t)soft - 127) == -1
           && place(ring, (uint64_t)soft - 128) == 64,
       "and the rest of it after another record");
    ring_free(ring);
}

/* There are as many records as slots. */
static void slots(void)
{
    struct ring *ring = ring_new(CAPACITY);
    uint64_t length;
    int n = 0;
    while (n <= RING_SLOTS && put_bytes(ring, 8) >= 0)
        n++;
    EQ_INT(n, RING_SLOTS, "a ring holds a record for each slot");
    OK(ring_intact(ring) && ring_whole(ring) && ring_front(ring, &length)
           && length == 8,
       "and is intact with all of them");
    atomic_store(&ring->state->head, RING_SLOTS + 1);
    OK(!ring_front(ring, &length) && !ring_peek(ring, &length),
       "but has no more than that");
    const uint64_t apart = RING_SLOTS + (UINT64_C(1) << 30);
    atomic_store(&ring->state->head, apart);
    bool whole = ring_whole(ring);
    atomic_store(&ring->state->head, apart + 1);
    OK(whole && !ring_whole(ring),
       "2^30 records may pass between reading the two counters");
    ring_clear(ring);
    OK(produce(ring, 5) && ring_front(ring, &length) == ring->data
           && length == length_of(5) && ring_intact(ring),
       "a cleared ring begins again");
    ring_release(ring);
    OK(!ring_front(ring, &length), "with this record alone");
    OK(!ring_new(UINT64_C(1) << 62), "no ring without its memory");
    ring_free(NULL);
    ring_free(ring);
}

/* ---- What is not the record that was published --------------------------- */

static void edges(void)
{
    struct ring *ring = ring_new(CAPACITY);
    struct ring_slot *slot = &ring->state->slots[0];
    uint64_t length = 1;
    const struct {
        uint64_t offset, length;
        bool inside;
    } trials[] = {
        {CAPACITY, 0, true},        {CAPACITY + 1, 0, false},
        {CAPACITY - 8, 8, true},    {CAPACITY - 8, 9, false},
        {UINT64_MAX - 7, 8, false}, {64, UINT64_MAX, false},
    };
    put_bytes(ring, 8);
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++) {
        slot->offset = trials[i].offset;
        slot->length = trials[i].length;
        const unsigned char *p = ring_peek(ring, &length);
        OK(p == ring->data + (trials[i].inside ? trials[i].offset : 0)
               && length == (trials[i].inside ? trials[i].length : 0),
           "slot %d at the ring's end", (int)i);
    }
    ring_release(ring);
    OK(!ring_peek(ring, &length), "an empty ring has nothing to peek at");
    ring_free(ring);
}

/* Every byte of a record counts, its place and its number, too. */
static void seals(void)
{
    enum {
        BYTES = 141
    };
    struct ring *ring = ring_new(CAPACITY);
    struct ring_slot *slot = ring->state->slots;
    uint64_t length;
    bool seen = true;
    unsigned char *p = ring_reserve(ring, BYTES);
    for (int i = 0; i < BYTES; i++)
        p[i] = (unsigned char)(3 * i);
    ring_publish(ring, p, BYTES);
    for (int i = 0; i < 8 * BYTES; i++) {
        p[i / 8] ^= (unsigned char)(1 << i % 8);
        seen = seen && ring_front(ring, &length) == ring->data && length == 0;
        p[i / 8] ^= (unsigned char)(1 << i % 8);
    }
    OK(seen, "every bit of a record is sealed");
    OK(ring_front(ring, &length) == p && length == BYTES,
       "and the record is whole again");
    memcpy(p + 512, p, BYTES);
    slot->offset += 512;
    OK(ring_front(ring, &length) && length == 0,
       "the same bytes elsewhere are another record");
    slot->offset -= 512;
    slot[1] = slot[0];
    atomic_store(&ring->state->head, 2);
    ring_release(ring);
    OK(ring_front(ring, &length) && length == 0,
       "so are those of an earlier record");
    ring_clear(ring);
    ring->unsealed = true;
    put_bytes(ring, 64);
    put_bytes(ring, BYTES);
    ring_release(ring);
    ring->data[64] ^= 1;
    OK(ring_front(ring, &length) == ring->data + 64 && length == BYTES,
       "a ring that no backend can reach has no seals");
    ring_free(ring);
}

/* A copy has room for what it copies; that of a large record is not kept. */
static void copies(void)
{
    const uint64_t kept = 16 << 20, large = kept + (1 << 20);
    struct ring *ring = ring_new(RING_SOFT_BYTES + large);
    struct ring_copy copy = {0};
    uint64_t length;
    for (int i = 0; i < 2; i++) {
        put_bytes(ring, 8 + 64 * (uint64_t)i);
        const void *p = ring_copy(ring, &copy, &length);
        OK(p == copy.bytes && length == 8 + 64 * (uint64_t)i
               && copy.room == kept,
           "room for small records, too");
        ring_release(ring);
    }
    put_bytes(ring, 64);
    unsigned char *p = ring_reserve(ring, large);
    memset(p, 0x5a, large);
    ring_publish(ring, p, large);
    ring_release(ring);
    const unsigned char *q = ring_copy(ring, &copy, &length);
    OK(q && p != ring->data && length == large && copy.room == large
           && q[0] == 0x5a && q[large - 1] == 0x5a,
       "room for a large record, which lies behind another");
    ring_release(ring);
    put_bytes(ring, 8);
    OK(ring_copy(ring, &copy, &length) && length == 8 && copy.room == kept,
       "which is given back");
    ring_copy_free(&copy);
    OK(!copy.bytes && copy.room == 0, "as all is in the end");
    ring_free(ring);
}

static int64_t milliseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void waiting(void)
{
    bool between = true;
    int turns = 0;
    for (int i = 0; i < 1000; i++) {
        int64_t before = milliseconds(), now = ring_clock();
        between = between && before <= now && now <= milliseconds();
    }
    OK(between, "the clock is the monotonic one, in milliseconds");
    for (int i = 0; i < 3; i++)
        ring_wait(&turns);
    EQ_INT(turns, 3, "each wait is a turn");
}

int main(void)
{
    kept();
    places();
    slots();
    edges();
    seals();
    copies();
    waiting();
    one_process();
    two_processes();
    damaged();
    producer();
    return tap_done();
}
