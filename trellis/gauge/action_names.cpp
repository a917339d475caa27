// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/gauge/action_names.hpp"

#include <array>

namespace trellis::gauge {

std::span<const NamedAction> named_actions() {
  static constexpr std::array all{
      NamedAction{"wilson", "Wilson", 0},
      NamedAction{"symanzik", "tree-level Symanzik", -1.0 / 12},  // Luescher and Weisz 1985
      NamedAction{"iwasaki", "Iwasaki", -0.331},                  // Iwasaki 1985
      NamedAction{"dbw2", "DBW2", -1.4088},                       // Takaishi 1996; QCD-TARO 2000
  };
  return all;
}

}  // namespace trellis::gauge
