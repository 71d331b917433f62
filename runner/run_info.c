/* run_info.c - see run_identity.h.  Tests: run.t, sweep.t.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/program/attribute.h"
#include "runner/process/child.h"
#include "runner/run_identity.h"

const char *run_info_profile(struct arena *a, const struct profile *p)
{
    const char *text = "[";
    const struct json *file;
    for (int i = 0; (file = profile_file(p, i)); i++)
        text = arena_printf(a, "%s%s%s", text, i > 0 ? "," : "",
                            attribute_json_text(a, file));
    return arena_printf(a, "%s]", text);
}

struct store_run run_info_row(struct arena *a, const struct run_info *from)
{
    const struct supervise_backend *b = &from->backend;
    struct store_property *properties =
        arena_new(a, struct store_property, (size_t)b->property_count + 1);
    for (int i = 0; i < b->property_count; i++)
        properties[i] = (struct store_property){b->keys[i], b->values[i]};
    return (struct store_run){
        .suite_version = ASSAY_VERSION,
        .jobs = from->jobs,
        .host =
            store_host(a, sandbox_words(&from->sandbox), child_memory_words()),
        .profile = from->profile_name,
        .profile_json = run_info_profile(a, from->profile),
        .command = from->command,
        .backend = b->name,
        .backend_version = b->version,
        .backend_path = from->path,
        .backend_options = from->options,
        .property_count = b->property_count,
        .properties = properties};
}
