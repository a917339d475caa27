// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/program.hpp"

int main(int argc, char** argv) { return trellis::app::run_program(argc, argv); }
