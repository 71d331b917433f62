/* atlas_profile.c - see atlas.h: as a profile.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "interp/specification/spec.h"
#include "report/atlas.h"
#include "report/format.h"

static bool is_function(const struct atlas_row *r)
{
    const struct spec_op *op = spec_op_find(r->op);
    return op && op->accuracy && strcmp(op->accuracy, "function") == 0
           && dtype_class(r->type) == DTYPE_FLOAT && r->has_error;
}

/* Rows of one operation and type are next to each other, and make one budget.
 */
static bool same_budget(const struct atlas_row *x, const struct atlas_row *y)
{
    return x->type == y->type && strcmp(x->op, y->op) == 0;
}

static void write_budget(struct arena *a, const struct atlas_row *r, int count,
                         FILE *out)
{
    int64_t most = 0, inputs = 0;
    bool certified = true, pairs = false;
    for (int i = 0; i < count; i++) {
        int64_t size = llabs(r[i].error);
        most = size > most ? size : most;
        inputs += r[i].inputs;
        /* All pairs are the whole function; a fixed operand is part of it. */
        pairs |= r[i].certified && strcmp(r[i].of, "pairs") == 0;
        certified &= r[i].certified && !*r[i].of;
    }
    /* The error was rounded to a millionth. */
    fprintf(out,
            "{\"class\": \"%s\", \"types\": [\"%s\"], \"budget\": {\"kind\": "
            "\"ulp\", \"ulps\": \"%s\"}, \"source\": \"measured: %s, %" PRId64
            " inputs\"}",
            r->op, dtype_table[r->type].name, format_micro(a, most + 1),
            certified || pairs ? "all inputs" : "a lower bound", inputs);
}

static bool check_backends(const struct atlas *t, struct status *st)
{
    int functions = 0;
    for (int i = 0; i < t->count; i++) {
        const struct atlas_row *r = &t->rows[i], *first = &t->rows[0];
        if (strcmp(r->backend, first->backend) != 0
            || strcmp(r->version, first->version) != 0)
            return FAIL(st, INPUT,
                        "a profile is of one backend; these are %.60s %.60s "
                        "and %.60s %.60s",
                        first->backend, first->version, r->backend, r->version);
        functions += is_function(r);
    }
    return functions > 0
           || FAIL(st, INPUT, "no function that is judged by a budget");
}

bool atlas_profile(const struct atlas *t, FILE *out, struct status *st)
{
    struct arena a = ARENA_INIT;
    const char *before = "\n    ";
    TRY(spec_load(st) && check_backends(t, st));
    const struct atlas_row *r = t->rows;
    fputs("{\n  \"profile\": \"measured\",\n  \"extends\": \"spec\",\n"
          "  \"text\": ",
          out);
    format_json(out,
                arena_printf(&a, "As accurate as %s %s was measured to be.",
                             r->backend, r->version));
    fputs(",\n  \"budgets\": [", out);
    for (int i = 0, n; i < t->count; i += n) {
        for (n = 1; i + n < t->count && same_budget(&r[i], &r[i + n]);)
            n++;
        int first = i, last = i + n - 1;
        while (first <= last && !is_function(&r[first]))
            first++;
        if (first > last)
            continue;
        fputs(before, out);
        write_budget(&a, &r[first], last - first + 1, out);
        before = ",\n    ";
    }
    fputs("\n  ]\n}\n", out);
    arena_free(&a);
    return true;
}
