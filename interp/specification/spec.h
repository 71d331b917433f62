/* spec.h - the specification's data: operations, policies, profiles.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The files of spec/ are embedded in the program (tools/makers/embed.c) and
 * parsed once, on first use, into one table that everything reads: the loader,
 * lint, evaluation, coverage, StableHLO text, reports.  Strings live as long as
 * the program.  [any] thread after spec_load.
 */
#ifndef INTERP_SPECIFICATION_SPEC_H
#define INTERP_SPECIFICATION_SPEC_H

#include "interp/base/json.h"
#include "interp/base/status.h"
#include "interp/base/text.h"
#include "interp/specification/attribute_name.h"

/* The JSON form of an attribute, and what it is in a struct attribute. */
enum spec_form {
    SPEC_INT,
    SPEC_INTS,
    SPEC_PAIRS,       /* [[a, b], ...]: ints, two each */
    SPEC_GROUPS,      /* [[a, ...], ...]: ints, and parts: the length of each */
    SPEC_BOOL,        /* ints[0] */
    SPEC_BOOLS,       /* ints */
    SPEC_TYPE,        /* dtype */
    SPEC_SHAPE,       /* shape */
    SPEC_NAME,        /* string, one of names */
    SPEC_NAMES,       /* ints: for each of several, its place in names */
    SPEC_STRING,      /* string */
    SPEC_NUMBER,      /* literal, f32[]: a number or numeric string (epsilon) */
    SPEC_LITERAL,     /* literal */
    SPEC_COMPUTATION, /* computations[0] */
    SPEC_COMPUTATIONS,   /* computations */
    SPEC_WINDOW_PADDING, /* "SAME", "VALID": string; else pairs */
    SPEC_PADDING_CONFIG, /* objects: ints, three each (low, high, interior) */
    SPEC_ACCURACY, /* result_accuracy: string, or {"atol","rtol","ulps"} as
                      string "TOLERANCE" and three f64 literals in a tuple */
    SPEC_DIMENSION_NUMBERS, /* object of int and ints members, each read as an
                               attribute of its own, "dimension_numbers.NAME"
                               (spec_attribute.members lists them) */
    SPEC_OBJECT,            /* string: the JSON text */
};

/* "int", "window-padding", ... as spec/ops writes it. */
const char *spec_form_name(enum spec_form form);
/* The form of that name; false if unknown. */
bool spec_form_find(const char *name, enum spec_form *form);

struct spec_attribute {
    const char *name; /* as its file writes it: a member's is short */
    const char *text; /* a sentence: what it says */
    enum attribute_name id;
    enum spec_form form;
    const struct json *default_value; /* NULL: none */
    bool optional;                    /* may be absent without a default */
    const char *const *names;         /* SPEC_NAME; NULL-terminated */
    /* StableHLO's name, with the type of a number that is not i64: "dimension",
     * "exponent_bits : i32"; NULL: it is written in another way, or not. */
    const char *stablehlo;
    int member_count; /* SPEC_DIMENSION_NUMBERS */
    const struct spec_attribute *members;
};

struct spec_operand {
    const char *name, *text; /* text: a sentence */
    bool variadic;           /* one or more, or none or more (minimum) */
    int minimum;             /* of a variadic one */
    bool optional;           /* may be left out at the end */
    /* Element types: bit 1 << DT_x.  0: any (tuples and tokens too). */
    uint64_t types;
};

struct spec_requirement {
    const char *id, *text, *source; /* source: "004:120-131" */
    const char *sha256;             /* of the passage */
    const char *untestable;         /* why no case can show it; or NULL */
    const struct json *when; /* which units it governs (violation.h); NULL: a
                                unit does not show it */
};

struct spec_constraint {
    const char *id, *text, *source; /* source: as a requirement's */
    enum code class;                /* STATUS_SHAPE ... */
    bool builder;                   /* level: builder, else program */
};

/* The result of an operation.  In formulas out is the result, out.k element k
 * of a tuple, x.dims and x.type the dimensions and element type of x. */
struct spec_result {
    const char *text;  /* a sentence */
    const char *shape; /* its shape, as a rule */
    const char *value; /* its value, as a formula */
};

enum spec_mode {
    SPEC_MODE_NONE,    /* without a channel_id */
    SPEC_MODE_CHANNEL, /* with one */
    SPEC_MODE_GLOBAL,  /* and with use_global_device_ids */
    SPEC_MODES
};

struct spec_op {
    const char *name, *family, *summary;
    int operand_count, attribute_count, requirement_count, constraint_count;
    const struct spec_operand *operands;
    const struct spec_attribute *attributes;
    const struct spec_requirement *requirements;
    const struct spec_constraint *constraints;
    struct spec_result result;
    const char *accuracy;          /* exact, arithmetic, function, accumulated,
                                      residual, set */
    const char *stablehlo;         /* "stablehlo.add", "chlo.erf"; or NULL */
    const char *stablehlo_missing; /* why it has none */
    const char *const *policies;   /* names; NULL-terminated */
    const char *tuple_result;      /* "always", "several" or NULL */
    /* The mode that replica_groups implies (interp/program/mode.h), by how the
     * operation is given; NULL where it cannot be. */
    const char *group_mode[SPEC_MODES];
};

/* Parse the embedded specification.  A failure is a bug of the build, and is
 * reported like any bad file.  Later calls cost nothing. */
bool spec_load(struct status *st);
/* From now on, what is loaded is read-only in this process. */
void spec_protect(void);

int spec_op_count(void);
const struct spec_op *spec_op_at(int i);
const struct spec_op *spec_op_find(const char *name);
/* Does the operation name that policy? */
bool spec_op_names(const struct spec_op *op, const char *policy);
/* text_hint of an unknown operation; to has TEXT_HINT bytes. */
const char *spec_op_hint(char *to, const char *name);
const struct spec_attribute *spec_attribute_find(const struct spec_op *op,
                                                 enum attribute_name name);
/* The same, or a member of one of them. */
const struct spec_attribute *spec_attribute_or_member(const struct spec_op *op,
                                                      enum attribute_name name);
/* A parsed embedded file, "spec/policies.json"; NULL if there is none. */
const struct json *spec_file(const char *path);
/* Requirement, or constraint, by id; NULL if there is none. */
const struct spec_requirement *spec_requirement_find(const char *id);
const struct spec_constraint *spec_constraint_find(const char *id);

#endif
