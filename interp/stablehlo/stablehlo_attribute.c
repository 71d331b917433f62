/* stablehlo_attribute.c - see stablehlo_private.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <string.h>

#include "interp/data/show.h"
#include "interp/program/attribute.h"
#include "interp/program/mode.h"
#include "interp/program/op.h"
#include "interp/stablehlo/stablehlo_private.h"

/* A dictionary being written. */
struct stablehlo_dictionary {
    struct stablehlo_writer *w;
    const struct instruction *in;
    const struct stablehlo_value *operands;
    int count;
};

static void name(struct stablehlo_dictionary *d, const char *text)
{
    fprintf(d->w->out, "%s%s = ", d->count++ ? ", " : " {", text);
}

/* ---- Plain values -------------------------------------------------------- */

/* "exponent_bits : i32" is a name and a type; without one it is i64. */
static void write_number(struct stablehlo_dictionary *d, const char *theirs,
                         int64_t value)
{
    const char *type = strstr(theirs, " : ");
    int length = (int)(type ? type - theirs : (long)strlen(theirs));
    name(d, arena_printf(d->w->arena, "%.*s", length, theirs));
    fprintf(d->w->out, "%" PRId64 "%s", value, type ? type : " : i64");
}

/* Begin one of ours, by its name there (spec/ops). */
static void name_ours(struct stablehlo_dictionary *d, enum attribute_name ours)
{
    const struct spec_attribute *s =
        spec_attribute_or_member(spec_op_find(d->in->op->name), ours);
    name(d, s && s->stablehlo ? s->stablehlo : attribute_name_text(ours));
}

/* Writes attributes that are a number, numbers or a bool in StableHLO, too
 * (spec/ops). */
static void plain(struct stablehlo_dictionary *d)
{
    const struct spec_op *op = spec_op_find(d->in->op->name);
    for (int i = 0; i < op->attribute_count; i++) {
        const struct spec_attribute *s = &op->attributes[i];
        const struct attribute *a =
            s->stablehlo ? attribute_find(d->in, s->id) : NULL;
        bool known =
            s->form == SPEC_INT || s->form == SPEC_INTS || s->form == SPEC_BOOL;
        if (!a || !known || (s->form != SPEC_INTS && a->count < 1))
            continue;
        if (s->form == SPEC_INT) {
            write_number(d, s->stablehlo, a->ints[0]);
            continue;
        }
        name(d, s->stablehlo);
        if (s->form == SPEC_INTS)
            stablehlo_write_array(d->w, a->count, a->ints);
        else
            fputs(a->ints[0] ? "true" : "false", d->w->out);
    }
}

/* ---- Groups of replicas -------------------------------------------------- */

/* Rows of width numbers; short ones are filled up with -1. */
static void write_matrix(struct stablehlo_dictionary *d, int count,
                         const int64_t *parts, int64_t width,
                         const int64_t *ints)
{
    FILE *out = d->w->out;
    fputs("dense<", out);
    for (int i = 0; i < count; i++) {
        int64_t n = parts ? parts[i] : width;
        fputs(i ? ", [" : "[[", out);
        for (int64_t k = 0; k < width; k++)
            fprintf(out, "%s%" PRId64, k ? ", " : "", k < n ? ints[k] : -1);
        fputc(']', out);
        ints += n;
    }
    fprintf(out, "%s> : tensor<%dx%" PRId64 "xi64>", count ? "]" : "", count,
            width);
}

void stablehlo_attribute_channel(struct stablehlo_dictionary *d)
{
    name(d, "channel_handle");
    fprintf(d->w->out,
            "#stablehlo.channel_handle<handle = %" PRId64 ", type = 1>",
            attribute_int(d->in, ATTRIBUTE_CHANNEL_ID, 0));
}

static void replica_groups(struct stablehlo_dictionary *d)
{
    const struct attribute *a = attribute_find(d->in, ATTRIBUTE_REPLICA_GROUPS);
    if (!a)
        return;
    name(d, "replica_groups");
    int64_t width = 0;
    bool uniform = true;
    for (int i = 0; i < a->part_count; i++) {
        uniform &= a->parts[i] == a->parts[0];
        width = a->parts[i] > width ? a->parts[i] : width;
    }
    /* Short rows are padded, which only an all_reduce accepts; where groups
     * must have one size this is a fault that the text shows. */
    if (!uniform && d->in->shape && !d->in->op->stablehlo->uneven_groups)
        FAIL(d->w->st, UNSUPPORTED,
             "StableHLO allows groups of different sizes in all_reduce only");
    if (a->part_count > 0) {
        write_matrix(d, a->part_count, a->parts, width, a->ints);
    } else {
        /* No group is one group of all that the mode counts, in order. */
        int n = mode_count(d->w->program, mode_of(d->in));
        int64_t *all = arena_new(d->w->arena, int64_t, (size_t)n);
        for (int i = 0; i < n; i++)
            all[i] = i;
        write_matrix(d, 1, NULL, n, all);
    }
}

void stablehlo_attribute_groups(struct stablehlo_dictionary *d)
{
    if (!attribute_find(d->in, ATTRIBUTE_REPLICA_GROUPS))
        return;
    replica_groups(d);
    if (attribute_find(d->in, ATTRIBUTE_CHANNEL_ID))
        stablehlo_attribute_channel(d);
    if (attribute_bool(d->in, ATTRIBUTE_USE_GLOBAL_DEVICE_IDS, false)) {
        if (!d->in->op->stablehlo->global_ids)
            FAIL(d->w->st, UNSUPPORTED,
                 "%s has no use_global_device_ids in StableHLO",
                 d->in->op->name);
        name(d, "use_global_device_ids");
        fputs("unit", d->w->out);
    }
}

/* One array, of the first member, is what the text has always had. */
void stablehlo_attribute_broadcast(struct stablehlo_dictionary *d)
{
    if (d->in->operand_count != 1
        || attribute_bool(d->in, ATTRIBUTE_HAS_DYNAMIC_ROOT, false))
        FAIL(d->w->st, UNSUPPORTED,
             "StableHLO text is written for a CollectiveBroadcast of one array "
             "from the first member only");
    stablehlo_attribute_groups(d);
}

void stablehlo_attribute_permute(struct stablehlo_dictionary *d)
{
    const struct attribute *a =
        attribute_find(d->in, ATTRIBUTE_SOURCE_TARGET_PAIRS);
    name(d, "source_target_pairs");
    write_matrix(d, a->count / 2, NULL, 2, a->ints);
    if (attribute_find(d->in, ATTRIBUTE_CHANNEL_ID))
        stablehlo_attribute_channel(d);
    if (attribute_bool(d->in, ATTRIBUTE_USE_GLOBAL_DEVICE_IDS, false))
        FAIL(d->w->st, UNSUPPORTED,
             "%s has no use_global_device_ids in StableHLO", d->in->op->name);
}

/* ---- Dimension numbers --------------------------------------------------- */

/* #stablehlo.KIND<member = value, ...> from dimension_numbers.* */
static void dimension_numbers(struct stablehlo_dictionary *d, const char *kind)
{
    const struct spec_op *op = spec_op_find(d->in->op->name);
    int n = 0;
    name_ours(d, ATTRIBUTE_DIMENSION_NUMBERS);
    fprintf(d->w->out, "#%s<", kind);
    for (int i = 0; i < d->in->attribute_count; i++) {
        const struct attribute *a = &d->in->attributes[i];
        if (attribute_name_short(a->name) == attribute_name_text(a->name))
            continue;
        const struct spec_attribute *s = spec_attribute_or_member(op, a->name);
        fprintf(d->w->out, "%s%s = ", n++ ? ", " : "",
                s && s->stablehlo ? s->stablehlo
                                  : attribute_name_short(a->name));
        if (a->form == SPEC_INT)
            fprintf(d->w->out, "%" PRId64, a->ints[0]);
        else
            stablehlo_write_ints(d->w, a->count, a->ints);
    }
    fputc('>', d->w->out);
}

static void precision(struct stablehlo_dictionary *d)
{
    const struct attribute *a =
        attribute_find(d->in, ATTRIBUTE_PRECISION_CONFIG);
    if (!a || !a->string || *a->string == '\0')
        return;
    name(d, "precision_config");
    fputc('[', d->w->out);
    int n = 0;
    for (const char *t = a->string; *t;) {
        size_t length = strcspn(t, " ,");
        fprintf(d->w->out, "%s#stablehlo<precision %.*s>", n++ ? ", " : "",
                (int)length, t);
        t += length;
        t += strspn(t, " ,");
    }
    fputc(']', d->w->out);
}

/* Dot is DotGeneral: the last dimension of lhs with the first of rhs. */
void stablehlo_attribute_dot(struct stablehlo_dictionary *d)
{
    int rank = d->operands[0].shapes[0]->rank;
    name(d, "dot_dimension_numbers");
    fprintf(d->w->out,
            "#stablehlo.dot<lhs_contracting_dimensions = [%d], "
            "rhs_contracting_dimensions = [0]>",
            rank > 0 ? rank - 1 : 0);
}

/* ---- Windows ------------------------------------------------------------- */

static void padding_matrix(struct stablehlo_dictionary *d, int rank,
                           const int64_t *pairs)
{
    name(d, "padding");
    write_matrix(d, rank, NULL, 2, pairs);
}

/* Writes the padding of an operation of so many spatial dimensions. */
static void padding(struct stablehlo_dictionary *d, int rank)
{
    const struct attribute *a = attribute_find(d->in, ATTRIBUTE_PADDING);
    int64_t pairs[2 * SHAPE_RANK_MAX] = {0};
    if (a && a->string) {
        stablehlo_window_padding(d->in, d->operands, rank, pairs);
        padding_matrix(d, rank, pairs);
    } else if (a) {
        padding_matrix(d, a->count / 2, a->ints);
    }
}

void stablehlo_attribute_window(struct stablehlo_dictionary *d)
{
    padding(d, d->operands[0].shapes[0]->rank);
}

void stablehlo_attribute_convolution(struct stablehlo_dictionary *d)
{
    int rank = d->operands[0].shapes[0]->rank,
        spatial = rank < 2 ? 0 : rank - 2;
    padding(d, spatial);
    name(d, "dimension_numbers");
    stablehlo_window_numbers(d->w, d->in, spatial);
    const struct attribute *reversal =
        attribute_find(d->in, ATTRIBUTE_WINDOW_REVERSAL);
    if (reversal) {
        name(d, "window_reversal");
        fputs("array<i1", d->w->out);
        for (int i = 0; i < reversal->count; i++)
            fprintf(d->w->out, "%s%s", i ? ", " : ": ",
                    reversal->ints[i] ? "true" : "false");
        fputc('>', d->w->out);
    }
    static const enum attribute_name counts[] = {ATTRIBUTE_FEATURE_GROUP_COUNT,
                                                 ATTRIBUTE_BATCH_GROUP_COUNT};
    for (int i = 0; i < 2; i++) {
        name(d, attribute_name_text(counts[i]));
        fprintf(d->w->out, "%" PRId64 " : i64",
                attribute_int(d->in, counts[i], 1));
    }
}

void stablehlo_attribute_pad(struct stablehlo_dictionary *d)
{
    static const char *const names[] = {"edge_padding_low", "edge_padding_high",
                                        "interior_padding"};
    const struct attribute *a = attribute_find(d->in, ATTRIBUTE_PADDING_CONFIG);
    int64_t values[SHAPE_RANK_MAX];
    int rank = a->count / 3;
    for (int part = 0; part < 3; part++) {
        for (int i = 0; i < rank; i++)
            values[i] = a->ints[3 * i + part];
        name(d, names[part]);
        stablehlo_write_array(d->w, rank, values);
    }
}

/* ---- Names --------------------------------------------------------------- */

static void compare(struct stablehlo_dictionary *d)
{
    static const char *const directions[] = {
        [OP_COMPARE_LESS] = "LT",
        [OP_COMPARE_EQUAL] = "EQ",
        [OP_COMPARE_LESS | OP_COMPARE_EQUAL] = "LE",
        [OP_COMPARE_GREATER] = "GT",
        [OP_COMPARE_LESS | OP_COMPARE_GREATER] = "NE",
        [OP_COMPARE_GREATER | OP_COMPARE_EQUAL] = "GE"};
    unsigned relation = d->in->op->compare;
    bool total = relation & OP_COMPARE_TOTAL;
    const struct shape *s = d->operands[0].shapes[0];
    enum dtype_class class = dtype_class(s->dtype);
    name(d, "comparison_direction");
    fprintf(d->w->out, "#stablehlo<comparison_direction %s>",
            directions[relation & ~(unsigned)OP_COMPARE_TOTAL]);
    name(d, "compare_type");
    fprintf(d->w->out, "#stablehlo<comparison_type %s>",
            total && (class == DTYPE_FLOAT || class == DTYPE_COMPLEX)
                ? "TOTALORDER"
            : class == DTYPE_SINT                        ? "SIGNED"
            : class == DTYPE_UINT || class == DTYPE_PRED ? "UNSIGNED"
                                                         : "FLOAT");
}

static void enumeration(struct stablehlo_dictionary *d,
                        const struct stablehlo_form *form)
{
    const char *value = attribute_string(d->in, form->named);
    if (strncmp(value, "RNG_", 4) == 0)
        value += 4;
    name_ours(d, form->named);
    fprintf(d->w->out, "#stablehlo<%s %s>", form->kind, value);
}

void stablehlo_attribute_batch_norm(struct stablehlo_dictionary *d)
{
    const struct attribute *a = attribute_find(d->in, ATTRIBUTE_EPSILON);
    name(d, "epsilon");
    fprintf(d->w->out, "0x%s : f32",
            show_bits(d->w->arena, DT_f32, literal_get(a->literal, 0)));
}

/* Lists dimensions from the fastest one: the rows of a matrix, else the
 * last. */
static void write_layout(struct stablehlo_dictionary *d, const struct shape *s,
                         bool matrix)
{
    int r = s->rank, k = 0;
    fputs("dense<", d->w->out);
    fputs(r ? "[" : "", d->w->out);
    for (int i = r - 1; i >= 0; i--, k++) {
        int at = matrix && i >= r - 2 ? 2 * r - 3 - i : i;
        fprintf(d->w->out, "%s%d", k ? ", " : "", at);
    }
    fprintf(d->w->out, "%s> : tensor<%dxindex>", r ? "]" : "", r);
}

/* As jaxlib's functions of LAPACK are called: options are a dictionary, and
 * columns of matrices, which have the rank of the first operand, are
 * contiguous. */
static void call_by_columns(struct stablehlo_dictionary *d, const char *opaque)
{
    const struct shape *result = d->in->shape;
    int rank = d->operands[0].shapes[0]->rank;
    name(d, "api_version");
    fputs("4 : i32", d->w->out);
    name(d, "backend_config");
    fputs(opaque && *opaque ? opaque : "{}", d->w->out);
    name(d, "operand_layouts");
    for (int i = 0; i < d->in->operand_count; i++) {
        const struct shape *s = d->operands[i].shapes[0];
        fputs(i ? ", " : "[", d->w->out);
        write_layout(d, s, s->rank == rank);
    }
    fputc(']', d->w->out);
    name(d, "result_layouts");
    for (int i = 0; result && i < shape_leaves(result); i++) {
        fputs(i ? ", " : "[", d->w->out);
        write_layout(d, shape_leaf(result, i),
                     shape_leaf(result, i)->rank == rank);
    }
    fputc(']', d->w->out);
}

void stablehlo_attribute_custom_call(struct stablehlo_dictionary *d)
{
    const char *opaque = attribute_string(d->in, ATTRIBUTE_OPAQUE);
    const char *target = attribute_string(d->in, ATTRIBUTE_CALL_TARGET_NAME);
    name(d, "call_target_name");
    fputs(json_quote(d->w->arena, target), d->w->out);
    stablehlo_form_by_columns *by_columns = d->in->op->stablehlo->by_columns;
    if (by_columns && by_columns(d->in)) {
        call_by_columns(d, opaque);
        return;
    }
    name_ours(d, ATTRIBUTE_OPAQUE);
    fputs(json_quote(d->w->arena, opaque ? opaque : ""), d->w->out);
    name(d, "api_version");
    fputs("2 : i32", d->w->out);
}

void stablehlo_attribute_ragged_all_to_all(struct stablehlo_dictionary *d)
{
    name(d, "call_target_name");
    fputs("\"ragged_all_to_all\"", d->w->out);
    name(d, "api_version");
    fputs("4 : i32", d->w->out);
    name(d, "backend_config");
    /* There is no channel handle here, as JAX writes it and XLA reads it. */
    struct stablehlo_dictionary inner = {d->w, d->in, d->operands, 0};
    replica_groups(&inner);
    if (attribute_find(d->in, ATTRIBUTE_CHANNEL_ID))
        fprintf(d->w->out, ", channel_id = %" PRId64 " : i64",
                attribute_int(d->in, ATTRIBUTE_CHANNEL_ID, 0));
    if (attribute_bool(d->in, ATTRIBUTE_USE_GLOBAL_DEVICE_IDS, false))
        FAIL(d->w->st, UNSUPPORTED,
             "%s has no use_global_device_ids in StableHLO", d->in->op->name);
    fputc('}', d->w->out);
}

static void write_callee(struct stablehlo_dictionary *d, const char *theirs)
{
    const struct computation *c =
        stablehlo_op_computation(d->w, d->in, ATTRIBUTE_COMPUTATION, 0);
    if (!c)
        return;
    name(d, theirs);
    fputs(stablehlo_write_function(d->w, c), d->w->out);
}

void stablehlo_attribute_call(struct stablehlo_dictionary *d)
{
    write_callee(d, "callee");
}

void stablehlo_attribute_composite(struct stablehlo_dictionary *d)
{
    const char *attributes =
        attribute_string(d->in, ATTRIBUTE_COMPOSITE_ATTRIBUTES);
    if (attributes && strcmp(attributes, "{}") != 0) {
        name(d, "composite_attributes");
        stablehlo_composite_attributes(d->w, attributes);
    }
    name(d, "name");
    fputs(json_quote(d->w->arena, attribute_string(d->in, ATTRIBUTE_NAME)),
          d->w->out);
    write_callee(d, "decomposition");
    name(d, "version");
    fprintf(d->w->out, "%" PRId64 " : i32",
            attribute_int(d->in, ATTRIBUTE_VERSION, 0));
}

void stablehlo_attribute_top_k(struct stablehlo_dictionary *d)
{
    if (!attribute_bool(d->in, ATTRIBUTE_LARGEST, true))
        FAIL(d->w->st, UNSUPPORTED,
             "chlo.top_k returns the largest elements only");
}

/* A request beyond the default, of an elementary function. */
static void accuracy(struct stablehlo_dictionary *d)
{
    const struct attribute *a =
        attribute_find(d->in, ATTRIBUTE_RESULT_ACCURACY);
    if (!a || !a->string || strcmp(a->string, "DEFAULT") == 0)
        return;
    name(d, "result_accuracy");
    fputs("#stablehlo.result_accuracy<", d->w->out);
    if (strcmp(a->string, "HIGHEST") != 0) {
        static const char *const names[] = {"atol", "rtol", "ulps"};
        for (int i = 0; i < 3; i++) {
            uint64_t bits = literal_get(a->literal->elements[i], 0);
            const char *value = show_decimal(d->w->arena, DT_f64, bits);
            bool point = strpbrk(value, ".") != NULL;
            const char *e = strchr(value, 'e');
            /* MLIR's floats have a point. */
            fprintf(d->w->out, "%s = %.*s%s%s, ", names[i],
                    (int)(e ? e - value : (long)strlen(value)), value,
                    i == 2 || point ? "" : ".0", e ? e : "");
        }
    }
    fprintf(d->w->out, "mode = #stablehlo.result_accuracy_mode<%s>>",
            a->string);
}

/* There, strides are always present. */
void stablehlo_attribute_slice(struct stablehlo_dictionary *d)
{
    const struct attribute *a = attribute_find(d->in, ATTRIBUTE_START_INDICES);
    int64_t ones[SHAPE_RANK_MAX];
    if (attribute_find(d->in, ATTRIBUTE_STRIDES) || a->count > SHAPE_RANK_MAX)
        return;
    for (int i = 0; i < a->count; i++)
        ones[i] = 1;
    name(d, "strides");
    stablehlo_write_array(d->w, a->count, ones);
}

/* Writes what a form says of attributes. */
static void add_formed(struct stablehlo_dictionary *d,
                       const struct stablehlo_form *form)
{
    if (form->numbers)
        dimension_numbers(d, form->numbers);
    if (form->kind)
        enumeration(d, form);
    if (form->distribution) {
        name(d, "rng_distribution");
        fprintf(d->w->out, "#stablehlo<rng_distribution %s>",
                form->distribution);
    }
    if (form->config) {
        const char *config = attribute_string(d->in, form->config);
        name(d, attribute_name_text(form->config));
        fputs(json_quote(d->w->arena, config ? config : ""), d->w->out);
    }
    if (form->attributes)
        form->attributes(d);
}

bool stablehlo_attribute_write(struct stablehlo_writer *w,
                               const struct stablehlo_item *it)
{
    struct stablehlo_dictionary d = {w, it->in, it->operands, 0};
    plain(&d);
    accuracy(&d);
    if (it->in->op->compare)
        compare(&d);
    if (it->in->op->stablehlo)
        add_formed(&d, it->in->op->stablehlo);
    precision(&d);
    if (d.count > 0)
        fputc('}', w->out);
    return w->st->code == STATUS_OK;
}
