// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The devices that kernels of the default execution space can run on. Builds for hosts have none.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace trellis {

struct Device {
  std::string name;
  std::string capability;  // compute capability: "9.0"
  int multiprocessors = 0;
  double clock = 0, memory_clock = 0;     // Hz
  std::size_t bytes = 0;                  // device memory
  std::optional<std::size_t> free_bytes;  // empty if the device may not be used
  std::size_t l2_bytes = 0;
  bool ecc = false;
};

struct Devices {
  std::string driver, runtime,
      architectures;  // CUDA versions; compute capabilities that the program was compiled for
  std::vector<Device> found;
  std::string why_none;  // empty if the first one can be used
};

// Queries every device, which takes a moment for each. Does not throw if there is none.
Devices find_devices();

// The device that kernels run on. Throws Error like require_device(), and in builds for hosts.
Device current_device();

// Throws Error that says, in one line, why the default execution space cannot run kernels here: no GPU, driver too old,
// program compiled for other GPUs. For commands that need it, before they write anything. Does nothing on hosts.
void require_device();

// Both for programs of several processes, before any other use of a GPU.
// What distinguishes the devices of a machine from one another, in the order of their numbers. Empty on hosts and if
// there is none. Does not touch the devices.
std::vector<std::string> device_identities();
// Chooses the device that kernels of this process run on. Memory already in use stays on the previous one.
void select_device(int number);

}  // namespace trellis
