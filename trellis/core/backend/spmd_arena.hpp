// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Called by the code that the compiler plugin (spmd/) generates, for values that live across barriers, if a group's are
// too large for the stack.

#include <cstddef>

/// Memory of the calling thread, aligned to 64 bytes; valid until the thread's next call.
extern "C" void* trellis_spmd_arena(std::size_t bytes) noexcept;
