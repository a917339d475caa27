// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "trellis/core/device/message_space.hpp"
#include "trellis/lattice/halo/halo_transport.hpp"

namespace trellis {

namespace {

class BetweenDevices final : public HaloTransport {
 public:
  BetweenDevices(const comm::ProcessGrid& grid, const DeviceMessages<FieldSpace>& device_messages,
                 std::span<HaloMessage> messages, std::size_t bytes)
      : device_messages_(device_messages), out_("messages sent", Index(bytes)), in_("messages received", Index(bytes)) {
    for (HaloMessage& message : messages) {
      message.out.buffer = out_.data() + message.place;
      message.in.buffer = in_.data() + message.place;
      messages_.push_back({.to = lattice_detail::receiver_of(grid, message),
                           .out = message.out.buffer,
                           .out_bytes = message.bytes,
                           .from = lattice_detail::sender_of(grid, message),
                           .in = message.in.buffer,
                           .in_bytes = message.bytes});
    }
  }

  void begin(std::span<HaloMessage>) override { here_ = false; }
  void send() override { device_messages_.exchange(MessageSpace<FieldSpace>::get(), messages_); }
  int next() override {
    if (here_) return no_message;
    here_ = true;
    return every_message;  // for kernels launched from now on
  }
  void finish() override {}

 private:
  const DeviceMessages<FieldSpace>& device_messages_;
  FieldView<std::byte*> out_, in_;
  std::vector<DeviceMessage> messages_;
  bool here_ = false;
};

}  // namespace

std::unique_ptr<HaloTransport> between_devices(const comm::ProcessGrid& grid,
                                               const DeviceMessages<FieldSpace>& device_messages,
                                               std::span<HaloMessage> messages, std::size_t bytes) {
  return std::make_unique<BetweenDevices>(grid, device_messages, messages, bytes);
}

}  // namespace trellis
