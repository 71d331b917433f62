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
 *   eighth.c, pointwise.c  rows, tails and single numbers of the eighth set
 *   ninth.c, ninth_places.c  lanes, words; what was made of what, of the ninth
 *   tenth.c, tenth_places.c  numbers; places, orders and sizes, of the tenth
 *   eleventh.c, eleventh_places.c  numbers; places and neighbours, of the
 *              eleventh
 *   twelfth.c  what the faults of the twelfth set do, and where
 *   thirteenth.c  likewise, of the thirteenth set
 *   fourteenth.c, fourteenth_places.c  likewise, of the fourteenth set
 */
#ifndef FAULTY_H
#define FAULTY_H

#include "../native/native.h"

enum {
    RESULT = -1, /* in place of an operand's number */
    GRAND_MAX = 16
};

/* The operation that runs in place of an instruction: native's, with the fault.
 */
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

/* The parts of a fault: a change of operands, attributes or results; a question
 * about an instruction, or about a number; and numbers from numbers, or from
 * two of them (an operand's and the result's, or two operands'). */
typedef void change_fn(struct look *x);
typedef int ask_fn(const struct look *x);
typedef int test_fn(double v);
typedef double map_fn(double v);
typedef double pair_fn(double a, double b);
typedef int64_t whole_fn(int64_t a, int64_t b);

/* ---- look.c: operand i, or RESULT ---------------------------------------- */

/* Is it one of these words? */
int has_word(const char *words, const char *word);
const struct shape *shape_of(const struct look *x, int i);
struct value *value_at(const struct look *x, int i);
int rank(const struct look *x, int i); /* -1: not an array */
/* The size of dimension d, from the end if negative; 0 if there is none. */
int64_t size(const struct look *x, int i, int d);
int64_t count(const struct look *x, int i);
/* Is its element type one of these words?  Or of this class? */
int is(const struct look *x, int i, const char *types);
int is_float(const struct look *x, int i);
int is_integer(const struct look *x, int i);
int is_scalar(const struct look *x, int i);
int same_shape(const struct look *x, int i, int j);
int is_dynamic(const struct look *x, int i);
/* An instruction as it was before the fault was planted. */
const struct node *original(const struct node *n);
/* The (first) computation that the attribute names; or NULL. */
const struct computation *called(const struct look *x, const char *attribute);
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
/* Its bits, and its complex number; a scalar's for any k. */
uint64_t bits_at(const struct look *x, int i, int64_t k);
double complex complex_of(const struct look *x, int i, int64_t k);
/* Where the result's last block begins, which is not full. */
int64_t tail_from(const struct look *x, int64_t block);
/* How many elements are NaN, infinite, zero, -0, subnormal? */
int64_t how_many(const struct look *x, int i, test_fn *test);
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
void operand_map(struct look *x, int i, map_fn *f);
/* Element k of operand i. */
void operand_change(struct look *x, int i, int64_t k, map_fn *f);
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

change_fn spoil_last;
/* Another number: zero, or 1 where it is zero. */
void spoil(struct value *v, int64_t i);
void spoil_from(struct look *x, int64_t from);
void spoil_tail(struct look *x, int64_t block); /* the last partial block */
/* The place of the last element that counts; -1: none does. */
int64_t last_of(const struct value *v);
/* Elements whose index of dimension d is from or more. */
void spoil_at(struct look *x, int d, int64_t from);
/* The elements as if dimensions d and e had changed places in memory. */
void reorder(struct look *x, int d, int e);
void result_map(struct look *x, map_fn *f);
void result_is(struct look *x, const struct value *v); /* bits, in order */
void result_from(struct look *x, struct value *v);     /* the value itself */
void overwrite(struct look *x, int i); /* operand i with the result */
void tuple_swap(struct look *x, int i, int j);
void result_false(struct look *x, int value);
/* Element k with the value of element j. */
void copy_element(struct look *x, int64_t k, int64_t j);

/* ---- narrow.c ------------------------------------------------------------ */

map_fn via_f32, via_bf16, via_f16, nan_to_zero, nan_to_inf, inf_to_max,
    minus_zero_to_zero, cut_s32, flush, negate;
pair_fn div_reciprocal, div_reciprocal_f32, mul_double, pow_double, rem_f32,
    rem_double, max_second, max_first, min_second;
/* The result from both operands, element by element. */
void binary_double(struct look *x, pair_fn *f);
void binary_int(struct look *x, whole_fn *f);
/* Integers: the bits of the result kept, the others those of its sign. */
void result_bits(struct look *x, int bits, int sign);
void part_bits(struct look *x, int part, int bits, int sign);
/* A matrix product without the terms in which a factor is zero. */
void dot_without_zeros(struct look *x);

/* ---- flow.c -------------------------------------------------------------- */

change_fn called_wrong, in_lockstep, remember, one_after_the_other, spoil_parts,
    spoil_second, nested_swap, overwrite_state, keep_smaller, result_bound,
    sizes_of_state, any_pred, index_zero, restore_last, indices_exchanged;
ask_fn is_array, called_in_loop, in_branch, called_before, twice_in_tuple,
    made_by_element, nested_equal, top_bits, receives, sends_itself,
    one_of_size_1, consecutive, last_not_reached, index_top, changed_last,
    untouched, commute, equal_neighbours, equal_in_sorted, state_kept;
int same_count(const struct look *x, int i);
int same_operand(const struct look *x, int i, int j);
int from_any(const struct look *x, const char *ops);
int role_any(const struct look *x, const char *op);
void index_becomes(struct look *x, int64_t value);
void keep_state(struct look *x, int i);
int64_t count_part(const struct look *x, int part);
void spoil_part_last(struct look *x, int part);
int may_overwrite(const struct look *x, int i);
int may_overwrite_far(const struct look *x, int i);
void overwrite_part(struct look *x, int i);
int attr_parts(const struct look *x, const char *name);
void operand_cut_32(struct look *x, int i);

/* ---- value.c ------------------------------------------------------------- */

change_fn neutral_result, quieted, quieted_parts, quieted_operand,
    inf_becomes_nan, zero_power, under_power, rem_by_infinity, rem_of_equals,
    rem_sign_of_divisor, clamp_to_lower, nan_is_great, zeros_differ,
    nan_spreads, result_root, not_compare, associate, excess_floor, fused,
    the_number, the_numbers, tie_to_last, init_neutral, any_of_operand;
test_fn is_negative, beyond_s32, beyond_s8;
map_fn one, no_term, term_twice, same, positive, nan_to_low, nan_made,
    inf_to_max_f16, below_zero, up_a_bit, top_u8, at_zero, at_least_zero,
    from_the_end, zero_if_beyond_s8;
/* Element k of operand i, which has the result's shape or is a scalar (fits).
 */
int fits(const struct look *x);
double pick(const struct look *x, int i, int64_t k);
void set_result(struct look *x, int64_t k, double v);
void set_bits(struct look *x, int64_t k, uint64_t u);
void set_complex(struct look *x, int64_t k, double re, double im);
void result_map_parts(struct look *x, map_fn *f);
void nan_first_lost(struct look *x, double lost);

/* ---- integer.c ---------------------------------------------------------- */

change_fn least_by_large, twice_rounded, compare_double, compare_signed,
    max_signed, divided_signed, real_parts_only, shifted_by_sign, init_least,
    convert_via_double, convert_toward_zero, shift_modulo, low_half,
    negative_where_top, convert_via_f32, convert_cut, small_is_false,
    iota_stuck, conjugated;
map_fn nibble;
pair_fn mul_float, div_double, pow_float;
whole_fn floor_div, floor_rem, mask, div_256, div_65536;
void part_bits_any(struct look *x, int kept);
void saturates(struct look *x, double most);

/* ---- edge.c -------------------------------------------------------------- */

change_fn binary_saturates, scan_saturates, windows_saturate, dot_saturates,
    replicas_saturate, least_by_one, least_saturates, convert_u64_cut,
    convert_nudged, imaginary_too, convert_unwrapped, reverse_last,
    bytes_reversed, variance_of_sample;
test_fn beyond_s64;
map_fn flush_f16, nudged;
pair_fn top_is_negative, rounded, rounded_down, nan_is_zero, zero_is_operand;
void rows_saturate(struct look *x, int64_t n);
/* Each element from that of the first operand and the result's. */
void by_operand(struct look *x, pair_fn *f);
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
int depth(const struct shape *s);

/* ---- function.c ---------------------------------------------------------- */

change_fn rem_of_large, pow_without_sign, zeros_order_lost, pow_keeps_nan,
    pow_of_minus_one, atan2_first_quadrant, cut_from_above, complex_abs_squares,
    complex_div_squares, complex_inf_is_nan, complex_parts_finite,
    complex_zero_power;
map_fn no_minus_infinity, flush_f64, flush_low, not_finite_is_zero;
pair_fn negative_is_zero, negative_is_nan, large_is_zero, small_is_zero,
    tie_away, tie_even, floor_of_half_more, low_is_zero, zero_one_less,
    one_more_if_large, low_is_minus_infinity, infinity_is_nan, zero_above_5,
    minus_zero_is_minus_one;

/* ---- cross.c ------------------------------------------------------------- */

change_fn top_is_63, shift_beyond_32, pow_to_infinity, pow_of_absolute,
    axis_is_zero, by_third, size_becomes_one;
ask_fn has_empty, has_dynamic, all_equal, in_order, counts_from_above,
    is_long_state, ragged_rest;
map_fn one_more, nan_positive, least_normal_is_zero, least_normal_f64_is_zero,
    largest_f16_is_infinite, largest_bf16_is_infinite, top_32_less;
pair_fn cut_bf16, at_most_31, u8_as_s8, least_s64_is_zero, nibble_sign,
    minus_inf_is_nan, minus_inf_is_zero, subnormal_is_zero, wide_is_zero;
void spoil_last_of(struct look *x, int i);

/* ---- eighth.c, pointwise.c ----------------------------------------------- */

change_fn neighbours_swapped, result_transposed, precision_tie_away,
    minus_one_power, lower_side_is_upper, both_zero_is_nan, negatives_reversed,
    factor_dropped, comparison_inverted, zero_signs_differ, last_conjugated,
    last_other_part, negative_start_is_large, kept_if_negative, dot_of_signed,
    one_row_group, empty_group_is_previous, first_key_only, state_shared,
    source_overwritten, size_of_another, upper_bound_only, nan_left_differs,
    far_right_is_zero, ends_fill, conversion_removed;
ask_fn compared_nan, sorted_up, state_twice, is_view, cropped, is_square;
map_fn no_minus_max, four_less, at_most_zero, stuck_at_2048;
test_fn is_one, is_top_32, is_largest_s32;
pair_fn is_half_finite, nan_is_one, ceil_without_sign, odd_one_more,
    at_most_s32, one_from_5, not_reflected, half_exp_less_1, half_log_of_more,
    exponentials_cancel, infinite_too_early, root_cancels, square_overflows,
    minus_one_is_zero, beyond_one_is_end, root_without_sign, half_logistic,
    large_angle_is_zero, through_f32, sign_counted, sixteen_more, absolute_part,
    always_one, negated, quotient_one_more, half_twice_rounded,
    small_half_twice, at_most_127, bf16_tie_away, reversed_difference, modulo;
whole_fn or_bits, xor_bits, largest, smallest, left_modulo_32;
/* The last row of dimension d is the one before, of an only or first result. */
void row_repeats(struct look *x, int d);
/* All rows are the first. */
void batch_repeats(struct look *x, int d);
/* From that index on each is the last one before. */
void stuck_from(struct look *x, int d, int64_t from);
/* Element k, if there is one. */
void spoil_place(struct look *x, int64_t k);
/* Elements whose index of dimension d is from or more are zero. */
void zero_from(struct look *x, int d, int64_t from);
/* Elements of the last partial block, from the operand's and their own. */
void tail_by(struct look *x, int64_t block, pair_fn *f);
/* Likewise, those of operand i. */
void tail_of_operand(struct look *x, int64_t block, int i);
/* Is a start, from that operand on, negative? */
int has_negative_start(const struct look *x, int first);
/* The first start that 32 bits do not hold, or 0. */
int far_start(const struct look *x, int first);
/* Of operand i. */
int dimension_is_dynamic(const struct look *x, int i, int64_t d);
/* Of operand 0, and smaller than its bound? */
int below_bound(const struct look *x, int64_t d);

/* ---- ninth.c ------------------------------------------------------------- */

change_fn all_ones_quotient, scalar_without_sign, zero_power_32,
    infinite_power_sign, power_by_rsqrt, straight_down_is_up,
    shift_by_32_unchanged, odd_bytes_logical, not_in_low_word,
    and_not_exchanged, imaginary_nan_ignored, pred_as_mask, minus_nan_is_great,
    low_words_ignored, zeros_differ_by_bits, select_in_pairs, select_mixed,
    bounds_crossed_low, bound_nan_ignored, sticky_lost, top_half_is_least,
    narrowing_removed, precision_nan_infinite, axis_from_below,
    result_conjugated, padding_real, negative_from_end, result_ones,
    clamp_instead, zeros_by_bits, mean_ignored, word_of_random;
ask_fn has_single_negative, covers_whole, made_of_leading_one, made_of_high,
    padded_by_other, across_border, is_prime_length, is_prefix;
map_fn at_most_s8, at_most_s16, zero_if_top_32, one_less;
test_fn beyond_s16;
pair_fn half_dropped, beyond_s32_is_least, low_word_zero, low_word_negative,
    zero_one_fewer, sign_not_counted, by_table, below_one_is_zero,
    beyond_one_is_infinite, invalid_is_least, newton_is_nan, zero_is_nan,
    large_is_nan, small_is_lost, one_from_3, zero_from_5, large_is_negative,
    minus_infinity_finite, unchanged, top_as_32, half_toward_zero,
    minus_zero_is_true, bf16_twice, carry_lost;
/* Elements of all full blocks, from the operand's and their own. */
void body_by(struct look *x, int64_t block, pair_fn *f);
/* One element of each block. */
void lane_by(struct look *x, int64_t block, int64_t lane, pair_fn *f);
/* In full blocks only. */
void rem_of_vector(struct look *x, int64_t block);
void zeros_of_second(struct look *x, int64_t block);
void nan_of_first_lost(struct look *x, int64_t block);
void signed_in_body(struct look *x, int64_t block);
/* The last of so many in a byte has no sign. */
void odd_nibbles_positive(struct look *x, int64_t in_byte);
/* Is a start, of those from that operand on, beyond the end? */
int any_start_beyond(const struct look *x, int first);
/* Has a called computation such an operation? */
int calls_op(const struct look *x, const char *attribute, const char *ops);
/* Is operand i made of a result of these operations? */
int made_from(const struct look *x, int i, const char *ops);
/* Of each two words of so many bytes, each becomes the other. */
void words_swapped(struct look *x, int bytes);
/* Is what operand 0 was made of one of these types? */
int made_of_type(const struct look *x, const char *types);
/* Elements of a row of operand i beyond a multiple. */
int64_t rest_of_row(const struct look *x, int i, int64_t block);

/* ---- tenth.c, tenth_places.c --------------------------------------------- */

change_fn floor_dropped, nan_wraps, rounds_to_infinity, by_24_bits,
    exponent_added, by_half_reciprocal, far_remainder_zero, power_by_half_log,
    far_divisor_zero, far_odd_power_even, zero_to_zero, chosen_by_difference,
    carry_leaks, mask_extended, shift_leaks, equal_negatives_less,
    squares_vanish, part_of_product, real_twice, variance_for_deviation,
    spread_read_flat, column_as_row, first_fills, iota_linear, offset_lost,
    pairs_saturate, running_sum, place_modulo_64, group_in_tile, negatives_last,
    negatives_turned, places_count_on, sizes_are_bounds, other_sizes_are_bounds,
    sizes_one_less;
ask_fn sliced_from_inside, cube_turned, pads_both_outer, index_type_small,
    neighbours_indexed, in_segments, has_least, is_diagonal, chosen_before,
    kept_by_loop, parts, one_is_left, none_is_left, all_are_left, last_not_sent,
    receives_from_above;
map_fn minus_infinite_is_zero, to_power_of_two;
test_fn not_power_of_two;
pair_fn one_short_if_negative, zero_kept, zero_without_sign, tiny_is_zero,
    truncated, negative_tie_up, tie_to_zero, beyond_float_is_zero, exp_between,
    log_from_least, one_from_9, magnitude_if_negative, reflected_lost,
    quarter_lost, infinite_is_nan, exp_overflows, acosh_cancels, atanh_cancels,
    one_from_2, exp_less_one, log_of_sum, low_logistic_lost, zeros_of_float,
    sixteen_is_zero, nan_is_finite, huge_is_nan, turned_round,
    half_subnormal_cut, half_infinite_is_65536, at_most_2_51, low_52_bits,
    without_sign_8, low_word_false, at_most_32767, least_half_if_true,
    fraction_is_one, to_nearest;
/* In full blocks only, or in the last partial one. */
void cross_term_lost(struct look *x, int64_t block);
void exact_quotient_less(struct look *x, int64_t block);
void nan_of_second_lost(struct look *x, int64_t block);
void zeros_move_in(struct look *x, int64_t block);
void by_difference(struct look *x, int64_t block);
void equal_by_bits(struct look *x, int64_t block);
void equal_low_words(struct look *x, int64_t block);
void nan_is_true(struct look *x, int64_t block);
void right_nan_is_less(struct look *x, int64_t block);
void negatives_in_body(struct look *x, int64_t block);
void zeros_not_told(struct look *x, int64_t block);
void mask_is_stale(struct look *x, int64_t block);
void nan_is_lower_bound(struct look *x, int64_t block);
void imaginary_late(struct look *x, int64_t block);
void last_is_real(struct look *x, int i);
/* All elements with that index of dimension d become 0. */
void spoil_row(struct look *x, int d, int64_t at);
void dimension_turned(struct look *x, int d);
/* The last partial block of each row is as it was. */
void row_tails_kept(struct look *x, int64_t block);
/* The last partial block. */
void tail_is_zero(struct look *x, int64_t block);
void blocks_are_first(struct look *x, int64_t block);
void operand_batch_repeats(struct look *x, int i);
/* The place beside an update that shares its word, or -1. */
int64_t clobbered_at(const struct look *x);
/* Does a called computation end with one of these operations? */
/* The i-th computation that the instruction calls, by any of its attributes. */
const struct computation *called_at(const struct look *x, int i);
int returns(const struct look *x, const char *ops);
/* An earlier instruction of the same operation with another attribute? */
int other_before(const struct look *x, const char *name);
/* Is what is left of a loop's trips, after a multiple of n, less than n? */
int rest_of_trips(const struct look *x, int64_t n);
void barrier_turns(struct look *x, int n);
/* Are the first n elements of the result alike? */
int alike(const struct look *x, int n);
/* Of result k of several. */
int part_is(const struct look *x, int k, const char *types);
int part_rank(const struct look *x, int k);

/* ---- eleventh.c, eleventh_places.c --------------------------------------- */

change_fn carry_of_words_lost, odd_products_even, negative_power_of_unit,
    by_double_first, logical_not, low_bit_only, shifted_as_first,
    chosen_by_byte, both_infinite_nan, zero_power_sign, rem_rounded_up,
    zero_rem_positive, reciprocal_vanishes, nan_as_infinity, sum_from_zero,
    difference_turned, infinite_part_spreads, steep_divisor, scalar_is_real,
    odd_conjugated, last_parts_exchanged, magnitude_of_zero, imaginary_in_float,
    imaginary_is_real, not_multiplied, first_takes_second, row_ends_repeat,
    odd_rows_repeat, result_one_more;
ask_fn all_ones, users, reduces_ones, partly_outside, last_indexed,
    all_indices_equal, padded, ties, branches_alike, empty_before, two_dynamic,
    odd_dynamic, last_dynamic, members, is_last_process, nothing_comes;
map_fn at_most_256, least_is_finite, nan_to_one, inf_to_nan;
test_fn is_subunit, beyond_24;
pair_fn below_half_up, beyond_short_is_top, root_of_infinity, least_is_nan,
    near_one_is_zero, minus_one_is_nan, infinite_angle, nan_by_minimum,
    pole_is_finite, small_range_only, rsqrt_of_magnitude, wider_zeros,
    top_32_not_counted, beyond_f32_infinite, u8_negative, half_cut,
    nan_is_least_32, infinite_is_least_32, float_overflows, half_stays,
    nan_is_false, power_of_two_short, least_magnitude;
void signs_of_bytes(struct look *x, int64_t block);
void result_false_in_tail(struct look *x, int64_t block);
void packed(struct look *x, int64_t block);
void zeros_alike_in_tail(struct look *x, int64_t block);
int strided(const struct look *x, int i);
/* Operand i, a Slice with a stride, is read one after the other. */
void stride_lost(struct look *x, int i);
int transposed_matrix(const struct look *x, int i);
/* Does one of these operations stand earlier in the computation? */
int before(const struct look *x, const char *ops);
/* Does one of these operations use the result? */
int used_by(const struct look *x, const char *ops);
/* Were so many steps back, along first operands, all of these operations? */
int chain(const struct look *x, const char *ops, int steps);
/* All elements with that index of dimension d become 0. */
void row_is_zero(struct look *x, int d, int64_t at);
int descends(const struct look *x, int i);
int beyond_other_bound(const struct look *x, int first);
void other_bound_taken(struct look *x, int first);
int inner_start(const struct look *x, int first);
/* Is operand i an initial value that changes something? */
int other_initial(const struct look *x, int i);
int all_below(const struct look *x, double most);
int64_t terms(const struct look *x);
int diagonal_has_negative(const struct look *x, int i);
int other_half_dirty(const struct look *x, int i);
int size_is_power_of_two(int64_t n);
/* How many instructions has a called computation? */
int length_of(const struct look *x, const char *name);
/* Is the computation called by another instruction, too? */
int shared_computation(const struct look *x, const char *name);
/* Element j of a tuple becomes element i. */
void part_becomes(struct look *x, int i, int j);
int parts_alike(const struct look *x, int i, int j);
void operand_kept(struct look *x, int i);

/* ---- twelfth.c ----------------------------------------------------------- */

change_fn odd_whole_one_more, magic_rounded_up, rem_by_negative_power,
    left_scalar_turned, complex_parts_mixed, quarter_by_roots,
    infinite_angle_lost, top_shift_lost, upper_bound_signed, moved_on,
    first_spoiled, middle_spoiled, row_starts_spoiled, operand_from_maximum,
    result_front_of, negatives_nearer, normal_shifted;
ask_fn groups_interleaved, group_turned, long_cycle, largest_twice,
    indices_count_up, made_cross, second_start_negative;
map_fn infinite_is_largest_half, two_is_one, at_most_255, to_absolute, all_zero;
test_fn beyond_255;
pair_fn largest_not_finite, half_words_alike, one_bit_short, zero_all_ones,
    positive_beyond_one, high_arc_mirrored, known_zero_is_nan, far_is_opposite,
    minus_one_of_far, tail_of_inverse, whole_is_zero, of_one_is_half,
    nan_has_sign, fraction_of_top, even_false, fraction_false, through_half,
    top_bit_twice;
/* Where the magnitude is between these, another branch is taken. */
void branch_off(struct look *x, double low, double high, int64_t from,
                int64_t step);
/* The result of a subnormal operand, by a factor. */
void subnormal_scaled(struct look *x, double by);
/* In full blocks only. */
void zero_if_less(struct look *x, int64_t block);
void xor_is_or(struct look *x, int64_t block);
void zeros_not_signs(struct look *x, int64_t block);
/* One element of each block is the right operand's. */
void second_in_lane(struct look *x, int64_t block, int64_t lane);
/* From that element on. */
void product_packed(struct look *x, int64_t from);
/* Rows i and j of dimension d change places. */
void rows_exchanged(struct look *x, int d, int64_t i, int64_t j);
/* The last element of part k of several results. */
void part_spoiled(struct look *x, int part);
/* Is that an element of operand i? */
int has_number(const struct look *x, int i, double v);
int has_between(const struct look *x, int i, double low, double high);
/* Are all operands made by these operations? */
int all_from(const struct look *x, const char *ops);
int all_sizes_equal(const struct look *x, int i);
int sizes_grow(const struct look *x, int i);
/* Dimensions of operand i with a size of 1. */
int ones_of(const struct look *x, int i);
/* Of a tuple; 0 of an array. */
int elements_of(const struct look *x, int i);
int has_inner_tuple(const struct look *x, int i);
double sum_of(const struct look *x, int i);
int not_dominant(const struct look *x, int i);
int turned_by_none(const struct look *x, int i);
int square_transposed(const struct look *x, int i);

#endif
