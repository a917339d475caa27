// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The precisions in which files hold links, with their names in inputs and options.

#include <array>

#include "trellis/core/base/precision.hpp"

namespace trellis::io {

inline constexpr std::array<NamedValue<Precision>, 2> file_precisions{{
    {name_of(Precision::double_), Precision::double_},
    {name_of(Precision::single), Precision::single},
}};

}  // namespace trellis::io
