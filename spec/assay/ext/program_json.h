/* assay/ext/program_json.h - a program as JSON, revision 1.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * An extension of the host: host->extension(host, "assay.program-json/1")
 * returns a const assay_program_json *, valid until close().
 */
#ifndef ASSAY_EXT_PROGRAM_JSON_H
#define ASSAY_EXT_PROGRAM_JSON_H

#include <assay/backend.h>

#define ASSAY_PROGRAM_JSON "assay.program-json/1"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct assay_program_json {
    uint64_t size;
    /* The program that compile was given, as the JSON document that
     * spec/protocol.md describes: operations and attributes in the words of
     * the case format.  *text is valid until compile returns.  [one], during
     * compile only */
    assay_code (*text)(const assay_host *host, const assay_program *program,
                       const char **text, assay_error *error);
} assay_program_json;

#ifdef __cplusplus
}
#endif

#endif
