// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// For builds for hosts; others have theirs in their backend's folder.
#include "trellis/core/device/devices.hpp"

#include "trellis/core/error.hpp"
#include "trellis/core/spaces.hpp"

#if !defined(TRELLIS_DEVICE_BACKEND)
namespace trellis {

namespace {
constexpr auto built_for_processors = "this program was built for CPUs";
}

Devices find_devices() { return {"", "", "", {}, built_for_processors}; }
Device current_device() { fail("{}", built_for_processors); }
void require_device() {}
std::vector<std::string> device_identities() { return {}; }
void select_device(int) {}

}  // namespace trellis
#endif
