// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Gauge actions that have a name, which is that of their c1 (action.hpp). A new one is a line here, and one in the
// manual.

#include <array>
#include <string_view>

namespace trellis::gauge {

struct NamedAction {
  std::string_view name;
  std::string_view title;  // as in "the Wilson action"
  double c1;               // of the rectangles
};

inline constexpr std::array named_actions{
    NamedAction{"wilson", "Wilson", 0},
    NamedAction{"symanzik", "tree-level Symanzik", -1.0 / 12},  // Luescher and Weisz 1985
    NamedAction{"iwasaki", "Iwasaki", -0.331},                  // Iwasaki 1985
    NamedAction{"dbw2", "DBW2", -1.4088},                       // Takaishi 1996; QCD-TARO 2000
};

}  // namespace trellis::gauge
