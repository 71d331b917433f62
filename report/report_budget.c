/* report_budget.c - how far off a result may be, and how far off it was.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <mpfr.h>
#include <string.h>

#include "interp/base/dtype.h"
#include "interp/exact/accept.h"
#include "interp/specification/profile_domain.h"
#include "interp/specification/spec.h"
#include "report/report.h"

/* Rounded up, as the budget itself is. */
static const char *number(struct arena *a, const struct real *x)
{
    char text[40];
    mpfr_t m;
    mpfr_init2(m, 128);
    real_to_mpfr(m, x);
    mpfr_snprintf(text, sizeof text, "%.4RUg", m);
    mpfr_clear(m);
    return arena_text(a, text);
}

/* The widest of its bounds counts: "1.5", "rel 2.385e-07, abs 1e-07". */
static const char *ulp_text(struct arena *a, const struct accept_budget *b)
{
    const struct {
        const char *name;
        const struct real *bound;
    } parts[] = {{"", &b->ulps}, {"rel ", &b->rel}, {"abs ", &b->abs}};
    const char *text = "";
    for (int i = 0; i < 3; i++)
        if (parts[i].bound->kind != REAL_ZERO)
            text = arena_printf(a, "%s%s%s%s", text, *text ? ", " : "",
                                parts[i].name, number(a, parts[i].bound));
    return *text ? text : "0";
}

static const char *budget_text(struct arena *a, const struct accept_budget *b)
{
    switch (b->kind) {
    case ACCEPT_EXACT:
        return "exact";
    case ACCEPT_CR:
        return "0.5";
    case ACCEPT_FAITHFUL:
        return "1";
    case ACCEPT_ULP:
        return ulp_text(a, b);
    case ACCEPT_XLA:
        return "tolerance";
    case ACCEPT_ANY:
        break;
    }
    return "any";
}

/* "1", and where it depends on the operands: "1 if |operand| < 2, else 4". */
static const char *budgets_text(struct arena *a, const struct profile *p,
                                const struct spec_op *op, const char *class,
                                enum dtype unit)
{
    const struct accept_budget *b;
    const struct profile_domain *domain;
    const char *text = "";
    for (int n = 0; (b = profile_budget_nth(p, class, unit, n, &domain)); n++) {
        const char *one = budget_text(a, b);
        if (domain && domain->operand >= op->operand_count)
            continue;
        if (domain)
            one = arena_printf(
                a, "%s if %s", one,
                profile_domain_text(a, domain,
                                    op->operands[domain->operand].name));
        text = arena_printf(a, "%s%s%s%s", text, *text ? ", " : "",
                            *text && !domain ? "else " : "", one);
    }
    return text;
}

const char *report_budget_of(struct arena *a, const struct profile *p,
                             const struct spec_op *op, enum dtype type)
{
    if (!op->accuracy
        || (strcmp(op->accuracy, "function") != 0
            && strcmp(op->accuracy, "arithmetic") != 0))
        return "";
    const char *class = op->accuracy;
    if (dtype_class(type) == DTYPE_COMPLEX)
        class = arena_printf(a, "%s.complex", op->name);
    else if (strcmp(class, "function") == 0)
        class = op->name;
    return budgets_text(a, p, op, class, dtype_unit(type));
}

const char *report_budget(struct arena *a, const struct report_run *run,
                          const struct report_cell *c)
{
    struct status st = {STATUS_OK};
    const struct profile *p;
    const struct spec_op *op = spec_load(&st) ? spec_op_find(c->op) : NULL;
    enum dtype type;
    if (!c->has_error && c->has_share)
        return "1 E";
    if (!op || !dtype_parse(c->type, strlen(c->type), &type) || !run->profile
        || !profile_load(a, run->profile, &p, &st))
        return "";
    return report_budget_of(a, p, op, type);
}

/* The difference, where the judge measured no error because the whole result
 * was judged together (Fft) or no error is allowed. */
const char *report_budget_difference(struct arena *a,
                                     const struct store_wrong *w)
{
    enum dtype t;
    const char *text = NULL;
    char digits[40];
    if (!w->type || !dtype_parse(w->type, strlen(w->type), &t)
        || dtype_class(t) != DTYPE_FLOAT || (w->got & ~dtype_mask(t))
        || (w->want & ~dtype_mask(t)))
        return NULL;
    mpfr_t got, want;
    mpfr_inits2(128, got, want, (mpfr_ptr)0);
    real_bits_to_mpfr(got, t, w->got);
    real_bits_to_mpfr(want, t, w->want);
    if (mpfr_number_p(got) && mpfr_number_p(want)) {
        mpfr_sub(got, got, want, MPFR_RNDN);
        mpfr_snprintf(digits, sizeof digits, "%.3Rg", got);
        text = arena_printf(a, "%s (absolute)", digits);
    }
    mpfr_clears(got, want, (mpfr_ptr)0);
    return text;
}
