/* thirteenth.h - what the faults of the thirteenth set ask and do.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef FAULTY_THIRTEENTH_H
#define FAULTY_THIRTEENTH_H

#include "faulty.h"

change_fn low_word_negated, low_word_counted_twice, zeros_of_low_byte,
    borrow_leaks, power_as_float_bits, exponent_modulo_32,
    extreme_of_signed_words, order_of_signed_words, quotient_by_reciprocal,
    remainder_by_reciprocal, ones_move_in, nothing_of_negative, high_word_kept,
    remainder_floored, third_quadrant_up, three_halves_by_root, negated_right,
    cross_term_once, nan_parts_alike, last_imaginary_lost, other_part_spreads,
    order_by_difference, upper_scalar_unequal, total_zeros_alike,
    chunks_too_far, starts_rotated, update_runs_over, next_row_written,
    begins_after_nan, initial_twice, only_last_row, batches_mixed,
    last_two_exchanged, bound_included, first_infinite;
ask_fn starts_differ, second_start_beyond, second_index_beyond,
    cumulative_along, windows_of_one, far_from_zero, has_twin,
    exchanges_with_lower, first_of_group, sources_turned;
map_fn doubled, true_is_one, at_most_16_bits, below_zero_turned,
    nan_is_infinite, to_24_bits, to_8_bits;
pair_fn square_overflows_64, square_overflows_32, exponential_overflows,
    sum_with_root_vanishes, always_positive, infinite_logarithm_128,
    beyond_2_121, ones_of_float, tie_from_64, one_is_three, above_65535,
    negative_root_nan, infinite_argument_zero, infinite_argument_nan,
    two_above_minus_2, end_is_largest, by_word, gamma_overflows, u16_negative,
    power_below;
/* In the last partial block, or in full blocks only. */
void tail_amount_wraps(struct look *x, int64_t block);
void tail_overflow_cut(struct look *x, int64_t block);
void nan_unlike_itself(struct look *x, int64_t block);
/* Operand i was padded: by 0; is it padded by another number? */
void padding_is_zero(struct look *x, int i);
int pads_by_something(const struct look *x, int i);
int all_nan(const struct look *x, int i);
/* What is read is overwritten. */
void operand_spoiled(struct look *x, int i);

#endif
