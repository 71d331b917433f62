/* assay/ext/earlier.h - what an earlier case left behind, revision 1.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * An extension of the host: host->extension(host, "assay.earlier/1") returns a
 * const assay_earlier *, valid until close().
 */
#ifndef ASSAY_EXT_EARLIER_H
#define ASSAY_EXT_EARLIER_H

#include <assay/backend.h>

#define ASSAY_EARLIER "assay.earlier/1"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct assay_earlier {
    uint64_t size;
    /* The backend cannot go on, because of something that an earlier case left
     * behind.  This ends the process; the current case is not blamed, and runs
     * in a new one.  It returns if the process has completed no case yet: then
     * there is none that could have done it.  [one], during compile or execute
     * only */
    void (*leave)(const assay_host *host);
} assay_earlier;

#ifdef __cplusplus
}
#endif

#endif
