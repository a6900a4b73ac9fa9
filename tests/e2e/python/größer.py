# SPDX-License-Identifier: BSD-2-Clause
"""A module of truth.py: names of more than one byte a character."""


def größe(f):
    return f()


class Ключ:
    def 方法(self, f):
        return größe(f)
