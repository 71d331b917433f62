/* pack.c - see pack.h.  Tests: pack.t.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tools/verbs/pack.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runner/plan/digest.h"

bool pack_map(const char *path, struct archive_member *to, struct status *st)
{
    struct stat about;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return FAIL(st, INPUT, "%.200s: %s", path, strerror(errno));
    if (fstat(fd, &about) != 0 || !S_ISREG(about.st_mode)
        || about.st_size == 0) {
        close(fd);
        return FAIL(st, INPUT, "%.200s: empty, or not a regular file", path);
    }
    to->length = (uint64_t)about.st_size;
    to->bytes = mmap(NULL, to->length, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    return to->bytes != MAP_FAILED
           || FAIL(st, INPUT, "%.200s: %s", path, strerror(errno));
}

const char *pack_statement(struct arena *a, struct report *r,
                           const struct report_run *run, struct status *st)
{
    struct report_summary sum;
    const struct claim_facts facts = report_claim(run);
    if (!report_summary(r, run, &sum, st))
        return NULL;
    const char *text = arena_printf(
        a,
        "Statement of conformance to the semantics of XLA's operations\n\n"
        "backend: %s %s\n"
        "claim: %s\n"
        "operations: %s\n"
        "run: %s, %s to %s\n"
        "host: %s\n",
        run->backend, run->backend_version ? run->backend_version : "",
        claim_line(a, &facts), report_summary_line(a, &sum), run->uuid,
        run->started, run->finished ? run->finished : "no end", run->host);
    for (int m = 0; m < IDENTITY_COUNT; m++)
        text = arena_printf(
            a, "%s%s: %s\n", text, identity_label((enum identity_member)m),
            identity_value(&run->identity, (enum identity_member)m));
    return text;
}

const char *pack_manifest(struct arena *a, const struct report_run *run,
                          const struct archive_member *list, int count)
{
    const char *suite = run->identity.value[IDENTITY_SUITE];
    const char *text =
        arena_printf(a,
                     "{\"format\": \"assay-pack/1\", \"assay\": \"%s\",\n"
                     " \"suite\": \"%.64s\",\n \"members\": [",
                     ASSAY_VERSION, suite ? suite : "");
    for (int i = 0; i < count; i++) {
        char hex[DIGEST_TEXT];
        digest_bytes(list[i].bytes, list[i].length, hex);
        text =
            arena_printf(a,
                         "%s%s\n  {\"name\": \"%s\", \"bytes\": %" PRIu64
                         ",\n   \"sha256\": \"%s\"}",
                         text, i ? "," : "", list[i].name, list[i].length, hex);
    }
    return arena_printf(a, "%s\n]}\n", text);
}
