/* test_judge_given.c - records that a worker wrote, and others.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "interp/test/tap.h"
#include "runner/process/judge_given.h"

/* A record of one output, f32[2]. */
struct sample {
    struct job_record head;
    struct job_output output;
    int64_t dims[1], sizes[1];
    unsigned char data[8];
};

static struct arena arena = ARENA_INIT;

static struct sample sample(void)
{
    struct sample s;
    memset(&s, 0, sizeof s);
    s.head.output_count = 1;
    s.output = (struct job_output){
        .dtype = "f32", .bytes = 8, .data_bytes = 8, .rank = 1, .dims = 1};
    s.dims[0] = s.sizes[0] = 2;
    memset(s.data, 0x11, sizeof s.data);
    return s;
}

static bool is_read(const struct sample *s, size_t length)
{
    struct judge_given_record r = {0};
    return judge_given_read(&arena, s, length, &r);
}

/* A number without sizes. */
static void scalars(void)
{
    struct {
        struct job_record head;
        struct job_output output;
        unsigned char data[8];
    } s;
    struct judge_given_record r = {0};
    memset(&s, 0, sizeof s);
    s.head.output_count = 1;
    s.output = (struct job_output){.dtype = "f32", .bytes = 4, .data_bytes = 4};
    s.data[3] = 0x3f;
    OK(judge_given_read(&arena, &s, sizeof s, &r)
           && r.outputs[0].got.data[3] == 0x3f && r.outputs[0].got.rank == 0,
       "a scalar is read");
    s.output.rank = 1;
    OK(!judge_given_read(&arena, &s, sizeof s, &r), "a rank without sizes");
}

/* As many sizes as there can be. */
static void all_dims(void)
{
    struct {
        struct job_record head;
        struct job_output output;
        int64_t dims[SHAPE_RANK_MAX], sizes[SHAPE_RANK_MAX + 1];
    } s;
    struct judge_given_record r = {0};
    memset(&s, 0, sizeof s);
    s.head.output_count = 1;
    s.output = (struct job_output){
        .dtype = "u8", .rank = SHAPE_RANK_MAX, .dims = SHAPE_RANK_MAX};
    s.dims[SHAPE_RANK_MAX - 1] = 5;
    s.sizes[SHAPE_RANK_MAX - 1] = 4;
    OK(judge_given_read(&arena, &s, sizeof s, &r)
           && r.outputs[0].got.dims[SHAPE_RANK_MAX - 1] == 5
           && r.outputs[0].got.sizes[SHAPE_RANK_MAX - 1] == 4,
       "the largest rank");
    s.output.rank = s.output.dims = 0;
    s.output.rank = SHAPE_RANK_MAX;
    OK(!judge_given_read(&arena, &s, sizeof s, &r), "needs all its sizes");
}

int main(void)
{
    struct sample s = sample();
    struct judge_given_record r = {0};
    _Static_assert(sizeof s % 8 == 0 && sizeof s.head % 8 == 0
                       && sizeof s.output % 8 == 0,
                   "the parts follow each other as in the ring");
    OK(judge_given_read(&arena, &s, sizeof s, &r), "a whole record is read");
    OK(r.outputs[0].got.rank == 1 && r.outputs[0].got.dims[0] == 2
           && r.outputs[0].got.sizes[0] == 2 && r.outputs[0].got.data[7] == 0x11
           && r.outputs[0].got.held == 8,
       "with its parts");
    int taken = 0;
    for (size_t n = 0; n < sizeof s; n++)
        taken += is_read(&s, n);
    EQ_INT(taken, 0, "none that is cut off is");
    s.head.output_count = 2;
    OK(!is_read(&s, sizeof s), "nor one with an output too many");
    s = sample();
    s.head.output_count = -1;
    OK(!is_read(&s, sizeof s), "nor with less than none");
    s = sample();
    s.head.outfeed_count = 1;
    OK(!is_read(&s, sizeof s), "nor with an outfeed that is not there");
    s = sample();
    s.head.flags = JOB_TWICE;
    OK(!is_read(&s, sizeof s), "nor without the second execution");
    s = sample();
    s.output.data_bytes = UINT64_MAX;
    OK(!is_read(&s, sizeof s), "nor with data beyond all memory");
    s = sample();
    s.output.rank = 2;
    OK(!is_read(&s, sizeof s), "nor of a rank that has no sizes");
    s = sample();
    s.output.dims = -1;
    OK(!is_read(&s, sizeof s), "nor with fewer sizes than none");
    s = sample();
    memset(s.output.dtype, 'f', sizeof s.output.dtype);
    OK(!is_read(&s, sizeof s), "nor of a type without end");
    s = sample();
    memset(s.head.text, 't', sizeof s.head.text);
    OK(!is_read(&s, sizeof s), "nor with a text without end");
    s = sample();
    s.output.rank = SHAPE_RANK_MAX + 1;
    s.output.dims = 0;
    OK(is_read(&s, sizeof s), "a rank that cannot be is left to the verdict");
    s.output.rank = -1;
    OK(is_read(&s, sizeof s), "so is one less than none");
    s = sample();
    s.output.rank = s.output.dims = INT32_MAX;
    OK(!is_read(&s, sizeof s), "but no such number of sizes is read");
    s = sample();
    s.head.output_count = INT32_MAX;
    OK(!is_read(&s, sizeof s), "nor as many outputs");
    scalars();
    all_dims();
    arena_free(&arena);
    return tap_done();
}
