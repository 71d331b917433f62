/* profile_domain.c - see profile_domain.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * An element x is dyadic, its modulus a square root, an end a decimal: each is
 * truncated to the same number of bits, and where that does not distinguish
 * them, to twice as many.
 */
#include "interp/specification/profile_domain.h"

#include <mpfr.h>
#include <string.h>

#include "interp/specification/profile_private.h"
#include "interp/specification/spec.h"

enum {
    NUMBER_BITS = 128,
    BITS_MAX = 1 << 14, /* more than the squares of f64 and any end need */
    OPERANDS_MAX = 3    /* of an elementwise operation */
};

/* ---- Reading ------------------------------------------------------------- */

/* The operation whose results the class is of, or NULL. */
static const struct spec_op *op_of(const char *class)
{
    char name[80];
    size_t n = strcspn(class, ".");
    if (n >= sizeof name || (class[n] && strcmp(class + n, ".complex") != 0))
        return NULL;
    memcpy(name, class, n);
    name[n] = '\0';
    return spec_op_find(name);
}

static bool read_name(struct arena *a, const struct json *node,
                      const struct spec_op *op, const char *class, int *operand,
                      struct status *st)
{
    const char *names[OPERANDS_MAX];
    char hint[TEXT_HINT];
    int count = 0;
    if (!op)
        return json_fail(a, node, st,
                         "class '%.80s' covers several operations: expected an "
                         "operand number",
                         class);
    for (; count < op->operand_count && count < OPERANDS_MAX; count++) {
        names[count] = op->operands[count].name;
        if (json_is_string(node, names[count])) {
            *operand = count;
            return true;
        }
    }
    return json_fail(a, node, st, "%s has no operand '%.80s'%s", op->name,
                     node->text, text_hint(hint, node->text, names, count));
}

static bool read_operand(struct arena *a, const struct json *node,
                         const char *class, int *operand, struct status *st)
{
    const struct spec_op *op = op_of(class);
    int count = op ? op->operand_count : OPERANDS_MAX;
    int64_t number;
    if (node->kind == JSON_STRING)
        return read_name(a, node, op, class, operand, st);
    TRY(json_int(a, node, &number, st));
    if (number < 0 || number >= count || number >= OPERANDS_MAX)
        return json_fail(a, node, st,
                         "%s has no operand %lld: expected 0 to %d",
                         op ? op->name : "an operation", (long long)number,
                         (count < OPERANDS_MAX ? count : OPERANDS_MAX) - 1);
    *operand = (int)number;
    return true;
}

static bool read_end(struct arena *a, const struct json *object,
                     const char *name, bool absolute, const char **end,
                     struct status *st)
{
    const struct json *node = json_member(object, name);
    if (!node)
        return true;
    if (!profile_read_is_number(node, !absolute))
        return json_fail(a, node, st, "expected a decimal number%s",
                         absolute ? " that is not negative" : "");
    *end = node->text;
    return true;
}

/* Does a come before b?  Two decimals of 60 characters (profile_read.c) are
 * distinguished by this many bits. */
static bool precedes(const char *a, const char *b)
{
    mpfr_t x, y;
    mpfr_inits2(4 * NUMBER_BITS, x, y, (mpfr_ptr)0);
    mpfr_set_str(x, a, 10, MPFR_RNDN);
    mpfr_set_str(y, b, 10, MPFR_RNDN);
    bool less = mpfr_less_p(x, y) != 0;
    mpfr_clears(x, y, (mpfr_ptr)0);
    return less;
}

bool profile_domain_read(struct arena *a, const struct json *node,
                         const char *class, struct profile_domain *domain,
                         struct status *st)
{
    static const char *const names[] = {"operand",  "from",      "below",
                                        "abs-from", "abs-below", NULL};
    TRY(json_only(a, node, names, st));
    const struct json *operand = json_member(node, "operand");
    if (!operand)
        return json_fail(a, node, st, "lacks 'operand'");
    TRY(read_operand(a, operand, class, &domain->operand, st));
    domain->absolute =
        json_member(node, "abs-from") || json_member(node, "abs-below");
    if (domain->absolute
        && (json_member(node, "from") || json_member(node, "below")))
        return json_fail(a, node, st,
                         "'from' and 'below' cannot be combined with "
                         "'abs-from' and 'abs-below'");
    TRY(read_end(a, node, domain->absolute ? "abs-from" : "from",
                 domain->absolute, &domain->from, st));
    TRY(read_end(a, node, domain->absolute ? "abs-below" : "below",
                 domain->absolute, &domain->below, st));
    if (!domain->from && !domain->below)
        return json_fail(a, node, st,
                         "lacks 'from', 'below', 'abs-from' or 'abs-below'");
    const char *from = domain->from ? domain->from : "0";
    if (domain->below && (domain->from || domain->absolute)
        && !precedes(from, domain->below))
        return json_fail(a, node, st, "the range from %s to below %s is empty",
                         from, domain->below);
    return true;
}

const char *profile_domain_text(struct arena *a,
                                const struct profile_domain *domain,
                                const char *operand)
{
    const char *bar = domain->absolute ? "|" : "";
    if (!domain->from)
        return arena_printf(a, "%s%s%s < %s", bar, operand, bar, domain->below);
    if (!domain->below)
        return arena_printf(a, "%s%s%s >= %s", bar, operand, bar, domain->from);
    return arena_printf(a, "%s <= %s%s%s < %s", domain->from, bar, operand, bar,
                        domain->below);
}

/* ---- Asking -------------------------------------------------------------- */

/* x or |x| truncated; ternary as MPFR's. */
static int truncate_element(mpfr_ptr to, const struct profile_domain *domain,
                            const struct profile_element *e)
{
    const uint64_t *x = e->x + domain->operand * e->units;
    MPFR_DECL_INIT(part, NUMBER_BITS);
    MPFR_DECL_INIT(other, NUMBER_BITS);
    struct real r = real_from_bits(e->unit, x[0]);
    real_to_mpfr(part, &r);
    if (e->units == 1)
        return domain->absolute ? mpfr_abs(to, part, MPFR_RNDZ)
                                : mpfr_set(to, part, MPFR_RNDZ);
    r = real_from_bits(e->unit, x[1]);
    real_to_mpfr(other, &r);
    return mpfr_hypot(to, part, other, MPFR_RNDZ);
}

/* Where the element lies: before the end (-1), on it, after it. */
static int compare_end(const struct profile_domain *domain,
                       const struct profile_element *e, const char *end)
{
    int order = 0;
    bool known = false;
    for (int bits = NUMBER_BITS; !known && bits <= BITS_MAX; bits *= 2) {
        mpfr_t x, y;
        mpfr_inits2(bits, x, y, (mpfr_ptr)0);
        int cut_x = truncate_element(x, domain, e);
        int cut_y = mpfr_strtofr(y, end, NULL, 10, MPFR_RNDZ);
        order = mpfr_cmp(x, y);
        known = order != 0 || cut_x == 0 || cut_y == 0;
        /* The part that was cut off lies away from zero. */
        if (order == 0)
            order = cut_y ? cut_y : -cut_x;
        mpfr_clears(x, y, (mpfr_ptr)0);
    }
    return order;
}

bool profile_domain_has(const struct profile_domain *domain,
                        const struct profile_element *e)
{
    if (domain->operand >= e->count || (e->units > 1 && !domain->absolute))
        return false;
    for (int u = 0; u < e->units; u++) {
        struct real part =
            real_from_bits(e->unit, e->x[domain->operand * e->units + u]);
        if (part.kind == REAL_NAN)
            return false;
    }
    return (!domain->from || compare_end(domain, e, domain->from) >= 0)
           && (!domain->below || compare_end(domain, e, domain->below) < 0);
}
