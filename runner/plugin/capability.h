/* capability.h - are a backend's capabilities what they may be?
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef RUNNER_PLUGIN_CAPABILITY_H
#define RUNNER_PLUGIN_CAPABILITY_H

#include <stdbool.h>

#include "interp/base/status.h"

struct plugin;

/* Ask a plugin for all of them; a value that is none of its kind would
 * otherwise count as another one, silently.  Fails with INPUT, naming the
 * nearest valid word. */
bool capability_check(const struct plugin *plugin, struct status *st);

#endif
