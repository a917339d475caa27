// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Standard input, output and error of a program that may have been started without them.

#include <string_view>

namespace trellis {

// Opens those that are closed, on /dev/null: otherwise the next file to be opened would become standard output, and
// printed text would end up in it. For main(), before anything else.
void open_closed_streams();

// Prints to standard error, after what was printed to standard output. Failures are ignored: an error that nobody can
// read must still end the program with its exit code. Control characters, which file names may contain and terminals
// obey, are printed as \x1b.
void print_to_stderr(std::string_view text) noexcept;

// Throws Error if anything printed to standard output was lost.
void require_printed();

// Whether standard output is a pipe, socket or terminal at whose other end nobody is left.
bool reader_is_gone();

}  // namespace trellis
