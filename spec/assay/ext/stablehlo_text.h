/* assay/ext/stablehlo_text.h - a program as StableHLO text, revision 1.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * An extension of the host: host->extension(host, "assay.stablehlo-text/1")
 * returns a const assay_stablehlo_text *, valid until close().
 */
#ifndef ASSAY_EXT_STABLEHLO_TEXT_H
#define ASSAY_EXT_STABLEHLO_TEXT_H

#include <assay/backend.h>

#define ASSAY_STABLEHLO_TEXT "assay.stablehlo-text/1"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct assay_stablehlo_text {
    uint64_t size;
    /* The program that compile was given, as an MLIR module in the stablehlo
     * and chlo dialects; its function is @main.  Parameters and results are
     * the program's inputs and outputs, without the tokens that StableHLO
     * does not pass.  *text is valid until compile returns.  Returns
     * ASSAY_UNSUPPORTED, with the reason, for what StableHLO cannot express.
     * [one], during compile only */
    assay_code (*text)(const assay_host *host, const assay_program *program,
                       const char **text, assay_error *error);
} assay_stablehlo_text;

#ifdef __cplusplus
}
#endif

#endif
