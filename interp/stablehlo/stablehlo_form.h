/* stablehlo_form.h - how an operation's text differs from the plain form.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Most operations are one line: spelling, operands, the attributes that
 * spec/ops gives a StableHLO name, and the type that inference finds.  Where
 * that is not enough, the operation's row (interp/program/op.h) has a form made
 * of the functions below, so that the writer knows no operation by name.
 */
#ifndef INTERP_STABLEHLO_STABLEHLO_FORM_H
#define INTERP_STABLEHLO_STABLEHLO_FORM_H

#include <stdbool.h>

#include "interp/specification/attribute_name.h"

struct instruction;
struct shape;
struct stablehlo_dictionary;
struct stablehlo_item;
struct stablehlo_value;
struct stablehlo_writer;

/* The whole text: several lines, or none. */
typedef bool stablehlo_form_write(struct stablehlo_writer *w,
                                  const struct stablehlo_item *it);
/* Attributes that are not one of ours under another name. */
typedef void stablehlo_form_attributes(struct stablehlo_dictionary *d);
/* The type that the result of an invalid instruction claims; there is an
 * operand. */
typedef const struct shape *
stablehlo_form_claim(struct stablehlo_writer *w,
                     const struct stablehlo_item *it);
/* May the text of an invalid instruction hide its fault? */
typedef bool stablehlo_form_hides(const struct stablehlo_writer *w,
                                  const struct stablehlo_item *it);

/* Is this call's function one whose options are a dictionary, and whose
 * matrices are stored by columns? */
typedef bool stablehlo_form_by_columns(const struct instruction *in);

struct stablehlo_form {
    stablehlo_form_write *write; /* NULL: one line */
    const char *numbers; /* dimension_numbers: "stablehlo.gather"; or NULL */
    enum attribute_name named;             /* is #stablehlo<KIND value>, */
    const char *kind;                      /* "fft_type"; or NULL */
    const char *distribution;              /* "UNIFORM"; or NULL */
    enum attribute_name config;            /* a text of that name; or NONE */
    stablehlo_form_attributes *attributes; /* NULL: no others */
    stablehlo_form_by_columns *by_columns; /* NULL: none is */
    stablehlo_form_claim *claim;           /* NULL: what attributes state */
    int like; /* without claim: the type of this operand, from 1; 0: of none */
    const char *why;             /* the text hides the fault; NULL: never */
    stablehlo_form_hides *hides; /* NULL: always, if there is a reason */
    bool calls;                  /* computations are functions, not regions */
    bool uneven_groups; /* replica_groups may have rows of several lengths */
    bool global_ids;    /* it has use_global_device_ids */
    bool no_tuples;     /* operands are not tuples, though of any type else */
};

/* The form of a row. */
#define STABLEHLO_FORM(...) \
    &(const struct stablehlo_form) \
    { \
        __VA_ARGS__ \
    }

/* stablehlo_op.c, stablehlo_builder.c, stablehlo_token.c */
stablehlo_form_write stablehlo_op_constant, stablehlo_op_tuple,
    stablehlo_op_element, stablehlo_op_while, stablehlo_op_conditional,
    stablehlo_op_cross_replica_sum, stablehlo_op_rng,
    stablehlo_op_dynamic_reshape, stablehlo_op_reduce_scatter,
    stablehlo_op_ragged_all_to_all, stablehlo_builder_broadcast,
    stablehlo_builder_reshape, stablehlo_builder_dynamic,
    stablehlo_builder_select, stablehlo_token_feed, stablehlo_token_send,
    stablehlo_token_send_done, stablehlo_token_recv, stablehlo_token_recv_done;

/* stablehlo_attribute.c */
stablehlo_form_attributes stablehlo_attribute_groups,
    stablehlo_attribute_broadcast, stablehlo_attribute_permute,
    stablehlo_attribute_channel, stablehlo_attribute_ragged_all_to_all,
    stablehlo_attribute_dot, stablehlo_attribute_window,
    stablehlo_attribute_convolution, stablehlo_attribute_pad,
    stablehlo_attribute_slice, stablehlo_attribute_batch_norm,
    stablehlo_attribute_custom_call, stablehlo_attribute_call,
    stablehlo_attribute_composite, stablehlo_attribute_top_k;

/* stablehlo_claim.c */
stablehlo_form_claim stablehlo_claim_gathered, stablehlo_claim_scattered,
    stablehlo_claim_all, stablehlo_claim_batch_norm, stablehlo_claim_reduce,
    stablehlo_claim_top_k, stablehlo_claim_random_bits, stablehlo_claim_integer;

/* stablehlo_hidden.c */
stablehlo_form_hides stablehlo_hidden_group, stablehlo_hidden_sizes,
    stablehlo_hidden_rank, stablehlo_hidden_operand, stablehlo_hidden_branch,
    stablehlo_hidden_count, stablehlo_hidden_size, stablehlo_hidden_pred,
    stablehlo_hidden_features, stablehlo_hidden_version;

#endif
