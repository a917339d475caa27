// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the compiler plugin (spmd/) calls by itself for values that live across barriers, where a group's are too large
// for the stack.

#include <cstddef>

/// Memory of the calling thread, aligned to 64 bytes; it is good until the thread's next call.
extern "C" void* trellis_spmd_arena(std::size_t bytes) noexcept;
