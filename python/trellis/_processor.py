# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
"""Which compiled module fits this processor.

A build for one machine has a single module beside this file. A portable installation has one per instruction set, in
the folders x86-64-v2, x86-64-v3 and x86-64-v4, as the program `trellis` does; TRELLIS_ISA chooses another than the best.
"""

import importlib.machinery
import importlib.util
import os
import pathlib
import sys

_FOLDER = pathlib.Path(__file__).parent
_NEEDS = {2: {"cx16", "lahf_lm", "popcnt", "pni", "sse4_1", "sse4_2", "ssse3"},
          3: {"abm", "avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "movbe", "xsave"},
          4: {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}}


def level_of_processor(cpuinfo="/proc/cpuinfo"):
    """The highest x86-64 level that the processor supports completely: 1 to 4."""
    flags = set()
    with open(cpuinfo, encoding="ascii", errors="replace") as file:
        for line in file:
            if line.startswith("flags"):
                flags = set(line.split(":", 1)[1].split())
                break
    level = 1
    while level < 4 and _NEEDS[level + 1] <= flags:
        level += 1
    return level


def choose(installed, level, wish=""):
    """The best of the installed levels for a processor of this level, or the one that TRELLIS_ISA names."""
    names = ", ".join(f"x86-64-v{n}" for n in sorted(installed))
    if wish:
        number = wish.removeprefix("x86-64-").removeprefix("v")
        if not number.isdigit() or int(number) not in installed:
            raise ImportError(f"TRELLIS_ISA is '{wish}'; this package has {names}")
        if int(number) > level:
            raise ImportError(f"TRELLIS_ISA is '{wish}', which this processor cannot run")
        return int(number)
    possible = [n for n in installed if n <= level]
    if not possible:
        raise ImportError(f"this processor runs at most x86-64-v{level}; this package has {names}")
    return max(possible)


def _for_this_python(files):
    """Of compiled modules those that this Python can import, by their names. ImportError if all are for others."""
    files = list(files)
    suffixes = tuple(importlib.machinery.EXTENSION_SUFFIXES)
    fitting = [file for file in files if file.name.removeprefix("_core") in suffixes]
    if files and not fitting:
        found = ", ".join(sorted({file.name.removeprefix("_core.").removesuffix(".so") for file in files}))
        raise ImportError(f"{_FOLDER}: the compiled module is for another Python ({found}); this is {sys.executable}, "
                          f"Python {sys.version_info.major}.{sys.version_info.minor}, which needs "
                          f"{suffixes[0].removeprefix('.').removesuffix('.so')}: run the other one, or build the package "
                          "with this one (docs/python.md)")
    return fitting


def load():
    """Imports trellis._core."""
    # Threads that wait give their core away soon (trellis/core/base/waiting_threads.hpp); OpenMP reads this once.
    if "OMP_WAIT_POLICY" not in os.environ:
        os.environ.setdefault("GOMP_SPINCOUNT", "1000")
        os.environ.setdefault("KMP_BLOCKTIME", "1")
    if importlib.util.find_spec("trellis._core") is not None:
        return importlib.import_module("trellis._core")
    _for_this_python(_FOLDER.glob("_core.*.so"))
    modules = {int(file.parent.name[-1]): file for file in _for_this_python(_FOLDER.glob("x86-64-v[234]/_core.*.so"))}
    if not modules:
        raise ImportError(f"{_FOLDER}: there is no compiled module; install the package (docs/python.md), or import it "
                          "from <build>/python")
    file = modules[choose(modules, level_of_processor(), os.environ.get("TRELLIS_ISA", ""))]
    spec = importlib.util.spec_from_file_location("trellis._core", file)
    module = importlib.util.module_from_spec(spec)
    sys.modules["trellis._core"] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules["trellis._core"]
        raise
    return module
