/* atlas_json.c - see atlas.h: for programs.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdlib.h>

#include "report/atlas.h"
#include "report/format.h"

static void write_row(struct arena *a, const struct atlas_row *r, FILE *out)
{
    format_json_member(out, "{", "op", r->op);
    format_json_member(out, ", ", "type", dtype_table[r->type].name);
    format_json_member(out, ", ", "of", r->of);
    format_json_member(out, ", ", "backend", r->backend);
    format_json_member(out, ", ", "version", r->version);
    format_json_member(out, ", ", "evidence",
                       r->certified ? "certified" : "lower bound");
    fprintf(out, ", \"inputs\": %" PRId64 ", ", r->inputs);
    format_json_ulps(out, a, "max_ulp", r->has_error, llabs(r->error));
    format_json_member(out, ", ", "max_ulp_input",
                       r->has_error ? atlas_input(a, r, false) : NULL);
    if (r->sampled > 0)
        fprintf(out, ", \"correctly_rounded\": %s",
                format_fraction(a, r->correct, r->sampled, 9));
    else
        fputs(", \"correctly_rounded\": null", out);
    fprintf(out, ", \"special_mismatches\": %" PRId64 ", \"bad\": %" PRId64,
            r->special, r->bad);
    fputs(", \"monotonicity_breaks\": ", out);
    fputs(r->ordered ? arena_printf(a, "%" PRId64, r->breaks) : "null", out);
    format_json_member(out, ", ", "monotonicity_break_inputs",
                       r->ordered && r->breaks > 0 ? atlas_break(a, r, false)
                                                   : NULL);
}

void atlas_json(const struct atlas *t, FILE *out)
{
    struct arena a = ARENA_INIT;
    fputs("{\"format\": \"assay-atlas/1\", \"functions\": [", out);
    for (int i = 0; i < t->count; i++) {
        fputs(i > 0 ? ",\n" : "\n", out);
        write_row(&a, &t->rows[i], out);
        fputs("}", out);
        arena_reset(&a);
    }
    fputs("]}\n", out);
    arena_free(&a);
}
