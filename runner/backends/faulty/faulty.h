/* faulty.h - the native backend with one fault of faults.def.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A fault is a condition on an instruction and a wrong result where it holds.
 * Where the condition does not hold, every result is native's.  `fault=NAME`
 * chooses the fault; tools/checks/faults runs each of them against the suite.
 *
 *   faulty.c   plants the fault in a checked program
 *   look.c     what a condition may ask
 *   wrong.c    what a fault may do to operands, attributes and results
 *   narrow.c   arithmetic in another type or order
 *   flow.c     control flow, tuples, memory, dynamic sizes, replicas
 *   value.c    special values; what follows from what an operand was made of
 *   integer.c  integers and conversions
 *   edge.c     the edges of types; indices and windows
 *   function.c functions at single numbers, and of complex ones
 *   cross.c    several conditions at once
 */
#ifndef FAULTY_H
#define FAULTY_H

#include "../native/native.h"

enum {
    RESULT = -1, /* in place of an operand's number */
    GRAND_MAX = 16
};

/* What runs in place of an instruction: native's, with the fault. */
struct planted {
    struct op op;           /* with the fault's run or run_group */
    struct node node;       /* the instruction as it was */
    int concerned;          /* the fault is about it; else it counts only */
    const char *program;    /* the name of its program */
    unsigned char *about;   /* the faults that are to be recorded */
    int at;                 /* its number in */
    struct computation *in; /* its computation */
    int made[GRAND_MAX]; /* where what operand k was made of begins in extra */
    int extra;           /* how many values the instruction has in addition */
    int twin;          /* number of an equal one with other attributes, or -1 */
    int64_t calls;     /* since the loop began, or the execution */
    int64_t execution; /* the one that it counts in */
    int64_t executions;  /* so far */
    unsigned char first; /* of the first replica */
};

/* An instruction in one replica, before or after native runs it. */
struct look {
    struct planted *planted;
    struct run *run;         /* its operands and node may be replaced */
    struct value **extra;    /* what the operands were made of; the twin */
    const struct group *all; /* of an operation across replicas */
};

/* ---- look.c: operand i, or RESULT ---------------------------------------- */

/* Is it one of these words? */
int has_word(const char *words, const char *word);
const struct shape *shape_of(const struct look *x, int i);
struct value *value_at(const struct look *x, int i);
int rank(const struct look *x, int i); /* -1: not an array */
/* Of dimension d, from the end if negative; 0 if there is none. */
int64_t size(const struct look *x, int i, int d);
int64_t count(const struct look *x, int i);
/* Is its element type one of these words?  Or of this class? */
int is(const struct look *x, int i, const char *types);
int is_float(const struct look *x, int i);
int is_integer(const struct look *x, int i);
int is_scalar(const struct look *x, int i);
int same_shape(const struct look *x, int i, int j);
int is_dynamic(const struct look *x, int i);
/* The operation that made it; was it one of these words? */
const struct node *maker(const struct look *x, int i);
int from(const struct look *x, int i, const char *ops);
/* Likewise, behind operations that only move. */
int from_far(const struct look *x, int i, const char *ops);
/* Operand j of the maker of operand i. */
struct value *made_of(const struct look *x, int i, int j);
int made_of_same(const struct look *x, int i, int j, int k);
/* Is operand i used by a later instruction? */
int used_again(const struct look *x, int i);
/* By an earlier one, and not a parameter? */
int used_before(const struct look *x, int i);
/* Has the result, a tuple, an element of these types? */
int tuple_has(const struct look *x, const char *types);
int in_entry(const struct look *x);
/* Is this the result of a computation that such an operation calls so? */
int role(const struct look *x, const char *op, const char *attribute);
/* Number k of an attribute; -999 if there is none. */
int64_t attr(const struct look *x, const char *name, int k);
int attr_count(const struct look *x, const char *name);
int attr_has(const struct look *x, const char *name, int64_t value);
int attr_is(const struct look *x, const char *name, const char *text);
/* The operation of which the computation consists, or "". */
int computes(const struct look *x, const char *attribute, const char *ops);
/* Does the computation end with one of these operations? */
int called_is(const struct look *x, const char *attribute, const char *ops);
/* The largest number of an attribute. */
int64_t attr_most(const struct look *x, const char *name);
/* Has it a number below 0?  VALID and SAME have none. */
int attr_negative(const struct look *x, const char *name);
double number(const struct look *x, int i, int64_t k);
/* How many elements are NaN, infinite, zero, -0, subnormal? */
int64_t how_many(const struct look *x, int i, int (*test)(double));
/* Elements on the diagonals of matrices that are at most that. */
int64_t below_on_diagonal(const struct look *x, int i, double most);
int is_nan(double v);
int is_inf(double v);
int is_zero(double v);
int is_minus_zero(double v);
/* Does it add f32: many, or what the processes of a group have? */
int is_long_sum(const struct look *x);
/* A scalar constant operand with that value. */
int constant(const struct look *x, int i, double v);

/* ---- wrong.c: before ----------------------------------------------------- */

/* A copy of operand i, that may be changed. */
struct value *own(struct look *x, int i);
void operand_map(struct look *x, int i, double (*f)(double));
/* Element k of operand i. */
void operand_change(struct look *x, int i, int64_t k, double (*f)(double));
void operand_swap(struct look *x, int i, int j);
/* Elements of operand i whose index of dimension d is from or more become
 * element 0 of operand by (-1: zero). */
void neutral(struct look *x, int i, int d, int64_t from, int by);
/* Elements number from and more. */
void neutral_from(struct look *x, int i, int64_t from, int by);
/* The operand's data are those of another value. */
void operand_raw(struct look *x, int i, const struct value *v);
void operand_full(struct look *x, int i); /* all elements of its bounds */
/* Set, or add to, number k of an attribute; cut it to count numbers. */
void attr_set(struct look *x, const char *name, int k, int64_t value);
void attr_swap(struct look *x, const char *name, int j, int k);

/* ---- wrong.c: after ------------------------------------------------------ */

/* Another number: zero, or 1 where it is zero. */
void spoil(struct value *v, int64_t i);
void spoil_from(struct look *x, int64_t from);
void spoil_tail(struct look *x, int64_t block); /* the last partial block */
/* The place of the last element that counts; -1: none does. */
int64_t last_of(const struct value *v);
void spoil_last(struct look *x);
/* Elements whose index of dimension d is from or more. */
void spoil_at(struct look *x, int d, int64_t from);
/* The elements as if dimensions d and e had changed places in memory. */
void reorder(struct look *x, int d, int e);
void result_map(struct look *x, double (*f)(double));
void result_is(struct look *x, const struct value *v); /* bits, in order */
void result_from(struct look *x, struct value *v);     /* the value itself */
void overwrite(struct look *x, int i); /* operand i with the result */
void tuple_swap(struct look *x, int i, int j);
void result_false(struct look *x, int value);
/* Element k with the value of element j. */
void copy_element(struct look *x, int64_t k, int64_t j);

/* ---- narrow.c ------------------------------------------------------------ */

double via_f32(double v);
double via_bf16(double v);
double via_f16(double v);
double nan_to_zero(double v);
double nan_to_inf(double v);
double inf_to_max(double v);
double minus_zero_to_zero(double v);
double cut_s32(double v);
double flush(double v);
double negate(double v);
/* The result from both operands, element by element. */
void binary_double(struct look *x, double (*f)(double a, double b));
void binary_int(struct look *x, int64_t (*f)(int64_t a, int64_t b));
double div_reciprocal(double a, double b);
double div_reciprocal_f32(double a, double b);
double mul_double(double a, double b);
double pow_double(double a, double b);
double rem_f32(double a, double b);
double rem_double(double a, double b);
double max_second(double a, double b);
double max_first(double a, double b);
double min_second(double a, double b);
/* Integers: the bits of the result kept, the others those of its sign. */
void result_bits(struct look *x, int bits, int sign);
void part_bits(struct look *x, int part, int bits, int sign);
/* A matrix product without the terms in which a factor is zero. */
void dot_without_zeros(struct look *x);

/* ---- flow.c -------------------------------------------------------------- */

int is_array(const struct look *x);
int same_count(const struct look *x, int i);
int same_operand(const struct look *x, int i, int j);
int from_any(const struct look *x, const char *ops);
int called_in_loop(const struct look *x);
int in_branch(const struct look *x);
int role_any(const struct look *x, const char *op);
int called_before(const struct look *x);
void called_wrong(struct look *x);
void in_lockstep(struct look *x);
void index_becomes(struct look *x, int64_t value);
void remember(struct look *x);
void one_after_the_other(struct look *x);
void keep_state(struct look *x, int i);
void spoil_parts(struct look *x);
int twice_in_tuple(const struct look *x);
void spoil_second(struct look *x);
int made_by_element(const struct look *x);
int nested_equal(const struct look *x);
void nested_swap(struct look *x);
int64_t count_part(const struct look *x, int part);
void spoil_part_last(struct look *x, int part);
int may_overwrite(const struct look *x, int i);
int may_overwrite_far(const struct look *x, int i);
void overwrite_part(struct look *x, int i);
void overwrite_state(struct look *x);
void keep_smaller(struct look *x);
void result_bound(struct look *x);
void sizes_of_state(struct look *x);
int top_bits(const struct look *x);
void any_pred(struct look *x);
int attr_parts(const struct look *x, const char *name);
int receives(const struct look *x);
int sends_itself(const struct look *x);
int one_of_size_1(const struct look *x);
int consecutive(const struct look *x);
int last_not_reached(const struct look *x);
int index_top(const struct look *x);
void index_zero(struct look *x);
void operand_cut_32(struct look *x, int i);
int changed_last(const struct look *x);
void restore_last(struct look *x);
int untouched(const struct look *x);
int commute(const struct look *x);
int equal_neighbours(const struct look *x);
void indices_exchanged(struct look *x);
int equal_in_sorted(const struct look *x);

/* ---- value.c ------------------------------------------------------------- */

/* Element k of operand i, which has the result's shape or is a scalar (fits).
 */
int fits(const struct look *x);
double pick(const struct look *x, int i, int64_t k);
void set_result(struct look *x, int64_t k, double v);
double one(double v);
double no_term(double v);
double term_twice(double v);
double same(double v);
double positive(double v);
double nan_to_low(double v);
double nan_made(double v);
double inf_to_max_f16(double v);
double below_zero(double v);
double up_a_bit(double v);
double top_u8(double v);
double at_zero(double v);
double at_least_zero(double v);
double from_the_end(double v);
double zero_if_beyond_s8(double v);
int is_negative(double v);
int beyond_s32(double v);
int beyond_s8(double v);
void result_map_parts(struct look *x, double (*f)(double));
void neutral_result(struct look *x);
void quieted(struct look *x);
void quieted_parts(struct look *x);
void quieted_operand(struct look *x);
void inf_becomes_nan(struct look *x);
void zero_power(struct look *x);
void under_power(struct look *x);
void rem_by_infinity(struct look *x);
void rem_of_equals(struct look *x);
void rem_sign_of_divisor(struct look *x);
void clamp_to_lower(struct look *x);
void nan_is_great(struct look *x);
void zeros_differ(struct look *x);
void nan_spreads(struct look *x);
void result_root(struct look *x);
void not_compare(struct look *x);
void associate(struct look *x);
void excess_floor(struct look *x);
void fused(struct look *x);
void nan_first_lost(struct look *x, double lost);
void the_number(struct look *x);
void the_numbers(struct look *x);
void tie_to_last(struct look *x);
void init_neutral(struct look *x);
void any_of_operand(struct look *x);

/* ---- integer.c ---------------------------------------------------------- */

void part_bits_any(struct look *x, int kept);
int64_t floor_div(int64_t a, int64_t b);
int64_t floor_rem(int64_t a, int64_t b);
int64_t mask(int64_t a, int64_t b);
int64_t div_256(int64_t a, int64_t b);
int64_t div_65536(int64_t a, int64_t b);
double mul_float(double a, double b);
double div_double(double a, double b);
double pow_float(double a, double b);
void least_by_large(struct look *x);
void twice_rounded(struct look *x);
void compare_double(struct look *x);
void compare_signed(struct look *x);
void max_signed(struct look *x);
void divided_signed(struct look *x);
void real_parts_only(struct look *x);
void shifted_by_sign(struct look *x);
void init_least(struct look *x);
void convert_via_double(struct look *x);
void convert_toward_zero(struct look *x);
double nibble(double v);
void shift_modulo(struct look *x);
void low_half(struct look *x);
void saturates(struct look *x, double most);
void negative_where_top(struct look *x);
void convert_via_f32(struct look *x);
void convert_cut(struct look *x);
void small_is_false(struct look *x);
void iota_stuck(struct look *x);
void conjugated(struct look *x);

/* ---- edge.c -------------------------------------------------------------- */

void binary_saturates(struct look *x);
void rows_saturate(struct look *x, int64_t n);
void scan_saturates(struct look *x);
void windows_saturate(struct look *x);
void dot_saturates(struct look *x);
void replicas_saturate(struct look *x);
void least_by_one(struct look *x);
void least_saturates(struct look *x);
int beyond_s64(double v);
/* Each element from that of the first operand and the result's. */
void by_operand(struct look *x, double (*f)(double a, double r));
double top_is_negative(double a, double r);
double rounded(double a, double r);
double rounded_down(double a, double r);
double nan_is_zero(double a, double r);
double zero_is_operand(double a, double r);
double flush_f16(double v);
double nudged(double v);
void convert_u64_cut(struct look *x);
void convert_nudged(struct look *x);
void imaginary_too(struct look *x);
void convert_unwrapped(struct look *x);
void reverse_last(struct look *x);
void bytes_reversed(struct look *x);
int index_beyond(const struct look *x, int c);
void index_clamped(struct look *x, int c);
void index_wraps(struct look *x, int c);
int top_index_of(const struct look *x, const char *type, double limit);
int duplicates(const struct look *x, int i);
int start_beyond(const struct look *x, int first, int d);
void padding_shifted(struct look *x, int k);
void operand_ramp(struct look *x, int i);
void payload_kept(struct look *x, int i);
void matrix_transposed(struct look *x, int i);
void variance_of_sample(struct look *x);
int depth(const struct shape *s);

/* ---- function.c ---------------------------------------------------------- */

double negative_is_zero(double a, double r);
double negative_is_nan(double a, double r);
double large_is_zero(double a, double r);
double small_is_zero(double a, double r);
double tie_away(double a, double r);
double tie_even(double a, double r);
double floor_of_half_more(double a, double r);
double low_is_zero(double a, double r);
double zero_one_less(double a, double r);
double no_minus_infinity(double v);
double flush_f64(double v);
double flush_low(double v);
double not_finite_is_zero(double v);
double one_more_if_large(double a, double r);
double low_is_minus_infinity(double a, double r);
double infinity_is_nan(double a, double r);
double zero_above_5(double a, double r);
double minus_zero_is_minus_one(double a, double r);
void rem_of_large(struct look *x);
void pow_without_sign(struct look *x);
void zeros_order_lost(struct look *x);
void pow_keeps_nan(struct look *x);
void pow_of_minus_one(struct look *x);
void atan2_first_quadrant(struct look *x);
void cut_from_above(struct look *x);
void complex_abs_squares(struct look *x);
void complex_div_squares(struct look *x);
void complex_inf_is_nan(struct look *x);
void complex_parts_finite(struct look *x);
void complex_zero_power(struct look *x);

/* ---- cross.c ------------------------------------------------------------- */

double cut_bf16(double a, double r);
void top_is_63(struct look *x);
double at_most_31(double a, double r);
double u8_as_s8(double a, double r);
void shift_beyond_32(struct look *x);
double least_s64_is_zero(double a, double r);
void pow_to_infinity(struct look *x);
void pow_of_absolute(struct look *x);
double minus_inf_is_nan(double a, double r);
double minus_inf_is_zero(double a, double r);
double subnormal_is_zero(double a, double r);
void axis_is_zero(struct look *x);
double nan_positive(double v);
double wide_is_zero(double a, double r);
void by_third(struct look *x);
double least_normal_is_zero(double v);
double least_normal_f64_is_zero(double v);
double largest_f16_is_infinite(double v);
double largest_bf16_is_infinite(double v);
double top_32_less(double v);
int has_empty(const struct look *x);
int has_dynamic(const struct look *x);
int all_equal(const struct look *x);
int in_order(const struct look *x);
int counts_from_above(const struct look *x);
int is_long_state(const struct look *x);
void size_becomes_one(struct look *x);
void spoil_last_of(struct look *x, int i);

#endif
