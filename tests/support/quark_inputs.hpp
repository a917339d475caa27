// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Parts of the input of a run of 2+1 flavours that takes little time.
#include <string>

namespace trellis::test {

inline const std::string symanzik =
    "[lattice]\nsize = [4, 4, 4, 8]\n[action]\nname = \"symanzik\"\nbeta = 3.75\n[chain]\ntrajectories = "
    "40\nsave_every = 10\n";
inline const std::string two_flavours =
    "[[flavours]]\nname = \"l\"\nmass = 0.1\ntastes = 2\nsplit_masses = [0.3]\n[[flavours]]\nname = \"s\"\nmass = "
    "0.3\n";
inline const std::string nested =
    "[smearing]\nlevels = 2\n[algorithm]\ntrajectory_length = 0.2\n[[algorithm.levels]]\nsteps = 2\nterms = [\"l_1\"]\n"
    "[[algorithm.levels]]\nsteps = 1\nterms = [\"l_2\", \"s\"]\n[[algorithm.levels]]\nsteps = 2\nterms = [\"gauge\"]\n";

}  // namespace trellis::test
