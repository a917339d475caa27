// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// `trellis` with one more observable: `own_observable measure examples/own_observable/link_trace.toml`.
#include "examples/own_observable/link_trace.hpp"
#include "trellis/app/program.hpp"

int main(int argc, char** argv) { return trellis::app::run_program(argc, argv, {own_observable::link_trace()}); }
