/* fourteenth.h - what the faults of the fourteenth set ask and do.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef FAULTY_FOURTEENTH_H
#define FAULTY_FOURTEENTH_H

#include "thirteenth.h"

change_fn exponents_added, exponent_before_log, never_below_zero, divided_apart,
    product_left_out, cut_is_floor, inverse_undone, divisor_turned,
    divisor_undone, bounds_cut_first, beyond_word_vanishes, dividend_unsigned,
    amount_above_width, immediate_cut, upper_halves_turned, nan_times_small,
    nan_not_unequal, chosen_as_compared, infinite_without_order,
    bound_is_finite, lowest_is_neutral, small_stays, large_is_largest,
    odd_parts_float, imaginary_not_divided, imaginary_axis_lost,
    lower_half_alike, counts_across, first_row_chosen, all_are_first,
    later_rows_lost, last_index_is_first, counted_from_start, index_itself,
    size_is_its_bound, windows_behind_zero, first_part_is_operand,
    begins_anew_after_nan, odd_places_repeat, counts_instead, tied_exchanged,
    scaled_by_next_power, random_halves, state_stays, pairs_alike,
    last_step_left_out, parts_are_last;
ask_fn made_of_square, is_square_of, is_inverse, progression, ends_alike,
    exchanged_around_one, own_piece, has_window_behind, number_after_nan,
    columns_tie, like_last, gives_back, goes_back_here, in_no_group;
map_fn to_minus_infinity, infinite_to_nan, to_even;
pair_fn minus_zero_lost, nan_is_signed_infinity, root_of_minus_zero,
    at_most_word, bf16_cut, ones_only_of_low, whole_for_half, next_below_one,
    subnormal_negated, largest_is_nan, three_is_two, infinite_keeps_sign,
    minus_infinite_nan, infinite_sign_lost;
/* Is operand i made of n arrays that are scalars or as long as the result? */
int made_fits(const struct look *x, int i, int n);
/* Element k of operand j of what made operand i. */
double made_number(const struct look *x, int i, int j, int64_t k);
int made_of_floats(const struct look *x, int i);
/* In full blocks, negative amounts shift to the right. */
void shifted_back(struct look *x, int64_t block);
/* A number below zero to a fraction is infinite, not NaN. */
void fraction_is_infinite(struct look *x, int64_t from);
/* In full blocks, a NaN is kept within -1 and 1 first. */
void nan_kept_within(struct look *x, int64_t block);
/* Half a turn is added on the wrong side of a negative zero. */
void axis_from_above(struct look *x, int64_t block);
/* Is operand i a Slice that begins inside, one after the other? */
int cut_from_inside(const struct look *x, int i);
/* It is the slice of its size from the beginning. */
void cut_from_beginning(struct look *x, int i);
/* As operand i, a Transpose, lies in memory. */
void as_it_lies(struct look *x, int i);
/* Is operand i a Transpose that changes places, of more than one row? */
int turned(const struct look *x, int i);
/* Does an edge end within a hole of interior padding? */
int edge_in_hole(const struct look *x, int side);
/* Is operand i a Rev of its first dimension, of several rows? */
int rows_reversed(const struct look *x, int i);
/* The last element of operand i is its first. */
void last_is_first(struct look *x, int i);
/* What nothing was written to becomes 0. */
void kept_rows_lost(struct look *x, int i);
int all_minus_zero(const struct look *x, int64_t least);
/* The initial value is left out of a sum. */
void initial_left_out(struct look *x, int i);
/* The last of each array of operand i. */
void operand_parts_spoiled(struct look *x, int i);

#endif
