// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Files of links in certified runs (hmc/certificate.hpp): what is written is what was computed.

#include <filesystem>
#include <functional>

#include "trellis/hmc/certificate.hpp"
#include "trellis/lattice/field.hpp"

namespace trellis::app {

// Calls write(), which makes the file. With a certificate the links are checked before, and the file is read again
// after: it must hold links `expected`, to the last bit. If it does not, this is told and the file written once more;
// the second time Error. u: the links at rest, expected: as the file stores them, the same or rounded. certificate: may
// be null. By all ranks together. Cost with a certificate: one reading of the file.
template <int W>
void write_certified(hmc::Certificate<double, W>* certificate, const std::filesystem::path& file,
                     const GaugeField<double, W>& u, const std::function<GaugeField<double, W>()>& expected,
                     const std::function<void()>& write);

}  // namespace trellis::app
