"""Libraries as backends.  SPDX-License-Identifier: Apache-2.0"""
