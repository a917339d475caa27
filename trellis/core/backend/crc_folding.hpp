// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// CRC-32 (polynomial 0x04c11db7, bits reflected, as in zlib) by carry-less multiplication: 16 bytes that are D bits
// from the end are replaced by their product with x^D modulo the polynomial, added to the 16 bytes there. Only the last
// 16 bytes remain. (V. Gopal et al., "Fast CRC computation for generic polynomials using PCLMULQDQ instruction", Intel,
// 2009.) Some ten times as fast as tables.

#include <cstddef>
#include <cstdint>

namespace trellis::backend {

// Whether this processor can; without it fold_crc() must not be called.
bool folds_crc();

// Replaces `count` bytes, a multiple of 16 and at least 64, by 16 bytes: the CRC register, which is `state` before the
// bytes, is after them what it is after `folded` if it was 0 before.
void fold_crc(std::uint32_t state, const std::byte* bytes, std::size_t count, std::byte (&folded)[16]);

}  // namespace trellis::backend
