// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/comm/messages.hpp"
#include "trellis/core/device/message_memory.hpp"
#include "trellis/core/device/message_space.hpp"
#include "trellis/core/kernel.hpp"
#include "trellis/core/profile/profile.hpp"
#include "trellis/core/runtime/dispatch_timer.hpp"
#include "trellis/lattice/halo/halo_transport.hpp"

namespace trellis {

namespace {

class ThroughHost final : public HaloTransport {
 public:
  ThroughHost(const comm::ProcessGrid& grid, std::span<HaloMessage> messages, std::size_t bytes)
      : out_(bytes), in_(bytes), count_(int(messages.size())), messages_(made(grid, messages)) {}

  void begin(std::span<HaloMessage>) override {
    sent_ = false;
    messages_.expect();
  }

  // With a GPU, the host must not wait before the kernels that need no messages have been launched.
  void send() override {
    if (fields_on_host) send_all();
  }

  int next() override {
    if (!sent_) send_all();
    const int k = [&] {
      const DefaultHostExecutionSpace space;
      const DispatchTimer timer(Kernel{"wait for halo"}, space);
      return messages_.next();
    }();
    if (k < 0) return no_message;
    in_.deliver();
    return k;
  }

  void finish() override { messages_.finish(); }

 private:
  comm::Messages made(const comm::ProcessGrid& grid, std::span<HaloMessage> messages) const {
    std::vector<comm::Messages::Part> parts;
    for (HaloMessage& message : messages) {
      message.out.buffer = out_.data() + message.place;
      message.in.buffer = in_.data() + message.place;
      const int label = int(parts.size());
      parts.push_back({.to = lattice_detail::receiver_of(grid, message),
                       .send_label = label,
                       .out = {out_.host() + message.place, message.bytes},
                       .from = lattice_detail::sender_of(grid, message),
                       .receive_label = label,
                       .in = {in_.host() + message.place, message.bytes}});
    }
    return comm::Messages(grid.ranks(), "halo", std::move(parts));
  }

  void send_all() {
    MessageSpace<FieldSpace>::get().fence();  // until they are packed
    const KernelTimer timer(Kernel{"send halo"});
    for (int k = 0; k < count_; ++k) messages_.send(k);
    sent_ = true;
  }

  MessageMemory<FieldSpace> out_, in_;
  int count_;
  bool sent_ = false;
  comm::Messages messages_;
};

}  // namespace

std::unique_ptr<HaloTransport> through_host(const comm::ProcessGrid& grid, std::span<HaloMessage> messages,
                                            std::size_t bytes) {
  return std::make_unique<ThroughHost>(grid, messages, bytes);
}

}  // namespace trellis
