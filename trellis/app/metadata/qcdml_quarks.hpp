// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The quark actions of QCDml (qcdml.hpp).

#include <pugixml.hpp>

#include "trellis/app/input/input_quarks.hpp"

namespace trellis::app {

// One element for each flavour.
void add_quarks(pugi::xml_node quark, const QuarkInput& quarks);

}  // namespace trellis::app
