/* plugin_state.h - what a plugin shares with the host's code on its thread.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A process that has loaded a plugin still makes cases, and writes programs as
 * text: with the floating-point environment, the locale and the state of MPFR
 * and GMP that the host had before, whatever the plugin has set.  A plugin
 * finds its own again at the next call.  It may change MPFR, GMP and the locale
 * as it likes; the processor's state it must leave as it was (spec/abi.md).
 *
 * A process has one plugin, which is called from one thread.  [one]
 */
#ifndef RUNNER_PLUGIN_PLUGIN_STATE_H
#define RUNNER_PLUGIN_PLUGIN_STATE_H

#include <stdbool.h>
#include <stdint.h>

/* State of the processor or process that a call must restore, and did not. */
enum plugin_state_left {
    PLUGIN_STATE_MODE = 1,      /* rounding, subnormal numbers, exceptions */
    PLUGIN_STATE_BACKWARDS = 2, /* x86: the direction flag is set */
    PLUGIN_STATE_ALIGNMENT = 4, /* x86: the alignment check flag is set */
    PLUGIN_STATE_REGISTERS = 8, /* x86: x87 registers are in use (MMX) */
};

/* Before the plugin is loaded: what is now is the host's, and the plugin's. */
void plugin_state_begin(void);
/* After it was opened: the floating-point environment is the plugin's own. */
void plugin_state_opened(void);

/* Before a call, and after it; take returns what the call has left wrong
 * (enum plugin_state_left), which is put right.  To be called before memory is
 * copied or compared: string instructions might go backwards. */
void plugin_state_give(void);
unsigned plugin_state_take(void);

/* Around host code that the plugin calls during a call: nothing is blamed, and
 * the plugin finds what it had. */
void plugin_state_enter(void);
void plugin_state_leave(void);

#endif
