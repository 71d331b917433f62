/* test_share.c - rings: order, wrapping, a full ring, another process.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "interp/base/random.h"
#include "interp/test/tap.h"
#include "runner/process/share.h"

enum {
    CAPACITY = 3 * SHARE_SOFT_BYTES
};

/* A record of a length and content that follow from its number. */
static uint64_t length_of(uint64_t i)
{
    struct random r = {i};
    uint64_t x = random_next(&r);
    return 8 + (x % 64 == 0 ? x % (SHARE_SOFT_BYTES / 2) : x % 3000);
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

static bool produce(struct share_ring *ring, uint64_t i)
{
    uint64_t n = length_of(i);
    unsigned char *p = share_reserve(ring, n);
    if (!p)
        return false;
    for (uint64_t k = 8; k < n; k++)
        p[k] = (unsigned char)(i + k);
    memcpy(p, &i, 8);
    share_publish(ring, p, n);
    return true;
}

static void one_process(void)
{
    struct share_ring *ring = share_ring_new(CAPACITY);
    struct random r = {7};
    uint64_t made = 0, seen = 0, length, full = 0;
    bool good = true;
    OK(share_front(ring, &length) == NULL, "an empty ring has no record");
    while (seen < 20000) {
        for (uint64_t n = random_next(&r) % 1500; n > 0; n--) {
            if (!produce(ring, made)) {
                full++;
                break;
            }
            made++;
        }
        for (uint64_t n = random_next(&r) % 1500; n > 0 && seen < made; n--) {
            const void *p = share_front(ring, &length);
            good = good && p && is_whole(p, length, seen);
            share_release(ring);
            seen++;
        }
    }
    OK(good, "20000 records come out whole and in order");
    OK(full > 0, "and the ring was full at times (%d)", (int)full);
    OK(!share_fits(ring, CAPACITY), "a record that never fits is told");
    OK(share_reserve(ring, UINT64_C(1) << 40) == NULL, "and has no room");
    share_ring_free(ring);
}

static void two_processes(void)
{
    struct share_ring *ring = share_ring_new(CAPACITY);
    bool good = true;
    int turns = 0, status;
    pid_t pid = fork();
    if (pid == 0) {
        for (uint64_t i = 0; i < 20000;)
            if (produce(ring, i))
                i++, turns = 0;
            else
                share_wait(&turns);
        _exit(0);
    }
    for (uint64_t i = 0; i < 20000 && good;) {
        uint64_t length;
        const void *p = share_front(ring, &length);
        if (!p) {
            share_wait(&turns);
            continue;
        }
        turns = 0;
        good = is_whole(p, length, i++);
        share_release(ring);
    }
    waitpid(pid, &status, 0);
    OK(good, "20000 records from another process are whole and in order");
    share_ring_free(ring);
}

/* What is overwritten after it was copied stays as it was. */
static void copied(struct share_ring *ring)
{
    struct share_copy copy = {0};
    uint64_t length, n = length_of(1);
    share_ring_clear(ring);
    OK(!share_copy(ring, &copy, &length) && errno == 0,
       "an empty ring has nothing to copy");
    produce(ring, 1);
    const unsigned char *p = share_copy(ring, &copy, &length);
    memset(ring->data, 0, n);
    OK(p && is_whole(p, length, 1), "a copy is out of the producer's reach");
    for (uint64_t at = 0; at < n; at += n - 1) {
        share_ring_clear(ring);
        produce(ring, 1);
        ring->data[at] ^= 0x80;
        OK(share_copy(ring, &copy, &length) && length == 0,
           "a record whose byte %d was overwritten is not a record", (int)at);
    }
    share_copy_free(&copy);
}

static void damaged(void)
{
    struct share_ring *ring = share_ring_new(CAPACITY);
    uint64_t length = 1;
    produce(ring, 1);
    OK(share_ring_whole(ring), "a ring is whole");
    ring->state->slots[0].offset = UINT64_MAX - 4;
    const void *p = share_front(ring, &length);
    OK(p == ring->data && length == 0,
       "a slot outside the ring is a record of no bytes");
    share_ring_clear(ring);
    produce(ring, 1);
    ring->data[9] ^= 1;
    OK(share_front(ring, &length) && length == 0,
       "nor has a record whose beginning was overwritten any");
    copied(ring);
    memset(ring->data, 0, 4096);
    memset(ring->state->slots, 0, sizeof ring->state->slots);
    OK(share_front(ring, &length) && length == 0, "with zeros, too");
    atomic_store(&ring->state->head, UINT64_MAX / 2);
    OK(!share_front(ring, &length) && !share_ring_whole(ring),
       "a head that cannot be is seen, and gives no record");
    share_ring_clear(ring);
    OK(!share_front(ring, &length) && share_ring_whole(ring),
       "a cleared ring is whole");
    atomic_store(&ring->state->tail, 5);
    OK(!share_front(ring, &length) && !share_ring_whole(ring),
       "nor is a tail beyond the head");
    share_ring_free(ring);
}

/* A producer does not trust what it can see others overwrite. */
static void producer(void)
{
    struct share_ring *ring = share_ring_new(CAPACITY);
    struct share_state good;
    uint64_t length;
    OK(share_ring_intact(ring), "an empty ring is intact");
    for (uint64_t i = 0; i < 3; i++)
        produce(ring, i);
    share_release(ring);
    OK(share_ring_intact(ring), "and one with records that come and go");
    good = *ring->state;
    atomic_store(&ring->state->head, 4);
    OK(!share_ring_intact(ring), "another head is seen");
    *ring->state = good;
    atomic_store(&ring->state->tail, 4);
    OK(!share_ring_intact(ring), "and a tail beyond it");
    *ring->state = good;
    ring->state->slots[1].offset++;
    OK(!share_ring_intact(ring), "and another oldest record");
    *ring->state = good;
    ring->state->slots[2].length++;
    OK(!share_ring_intact(ring), "and another newest one");
    memset(ring->state->slots, 0x7f, sizeof ring->state->slots);
    OK(produce(ring, 3) && memcmp(ring->data, &(uint64_t){0}, 8) == 0,
       "the next record goes where there is room all the same");
    *ring->state = good;
    ring->head = 0;
    share_ring_begin(ring);
    OK(share_ring_intact(ring) && ring->head == 3,
       "another producer continues where the last one ended");
    OK(share_front(ring, &length) && length == length_of(1),
       "and nothing is lost");
    share_ring_free(ring);
}

static void kept(void)
{
    int status;
    char *mine = share_map(4096), *other = share_map(4096);
    pid_t pid = fork();
    if (pid == 0) {
        const void *const only[] = {mine};
        share_keep_only(only, 1);
        mine[0] = 1;
        other[0] = 1; /* SIGSEGV */
        _exit(0);
    }
    waitpid(pid, &status, 0);
    OK(WIFSIGNALED(status) && mine[0] == 1 && other[0] == 0,
       "what is not kept is out of reach");
    share_unmap(mine, 4096);
    share_unmap(other, 4096);
}

int main(void)
{
    kept();
    one_process();
    two_processes();
    damaged();
    producer();
    return tap_done();
}
