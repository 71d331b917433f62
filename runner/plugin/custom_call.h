/* custom_call.h - functions for CustomCall, from shared objects.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The command line names them (--custom-call NAME=PATH), never a case file.
 * An object is loaded when its function is first called, so only in processes
 * that evaluate.
 */
#ifndef RUNNER_PLUGIN_CUSTOM_CALL_H
#define RUNNER_PLUGIN_CUSTOM_CALL_H

#include <assay/ext/custom_call.h>

#include "interp/base/json.h"
#include "interp/ops/custom.h"

/* "NAME=PATH"; the text must stay.  Fails with INPUT. */
bool custom_call_name(const char *text, struct status *st);
/* For a machine; NULL if nothing was named. */
const struct custom_lookup *custom_call_lookup(void);
/* Record which names occur in a case file as strings, in any role. */
void custom_call_seen(const struct json *root);
/* Report those that occur in none, in one line on standard error. */
void custom_call_complain(const char *who);
/* For plugins. */
extern const assay_custom_call custom_call_extension;

#endif
