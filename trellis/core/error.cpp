// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/core/error.hpp"

namespace trellis::error_detail {

void fail(fmt::string_view format, fmt::format_args args) { throw Error(fmt::vformat(format, args)); }
void fail_input(fmt::string_view format, fmt::format_args args) { throw InputError(fmt::vformat(format, args)); }

}  // namespace trellis::error_detail
