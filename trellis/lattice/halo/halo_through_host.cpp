// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <vector>

#include "trellis/comm/messages.hpp"
#include "trellis/core/device/message_memory.hpp"
#include "trellis/core/device/message_space.hpp"
#include "trellis/core/kernel.hpp"
#include "trellis/core/profile/profile.hpp"
#include "trellis/core/profile/profile_listener.hpp"
#include "trellis/core/runtime/dispatch_timer.hpp"
#include "trellis/core/runtime/runtime_state.hpp"
#include "trellis/lattice/halo/halo_transport.hpp"

namespace trellis {

namespace {

class ThroughHost final : public HaloTransport {
 public:
  ThroughHost(const comm::ProcessGrid& grid, std::span<HaloMessage> messages, std::size_t bytes)
      : out_(bytes),
        in_(bytes),
        count_(int(messages.size())),
        own_rank_(grid.ranks().rank()),
        messages_(made(grid, messages)) {}

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
    if (const int from = senders_[std::size_t(k)]; from != own_rank_)
      report_message("halo", from, sizes_[std::size_t(k)], sent_at_);
    in_.deliver();
    return k;
  }

  void finish() override { messages_.finish(); }

 private:
  comm::Messages made(const comm::ProcessGrid& grid, std::span<HaloMessage> messages) {
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
      senders_.push_back(parts.back().from);
      sizes_.push_back(message.bytes);
    }
    return comm::Messages(grid.ranks(), "halo", std::move(parts));
  }

  void send_all() {
    MessageSpace<FieldSpace>::get().fence();  // until they are packed
    const KernelTimer timer(Kernel{"send halo"});
    for (int k = 0; k < count_; ++k) messages_.send(k);
    sent_ = true;
    if (!runtime_detail::quiet()) sent_at_ = std::chrono::steady_clock::now();
  }

  MessageMemory<FieldSpace> out_, in_;
  int count_;
  bool sent_ = false;
  int own_rank_;
  std::vector<int> senders_;
  std::vector<std::size_t> sizes_;
  std::chrono::steady_clock::time_point sent_at_;
  comm::Messages messages_;
};

}  // namespace

std::unique_ptr<HaloTransport> through_host(const comm::ProcessGrid& grid, std::span<HaloMessage> messages,
                                            std::size_t bytes) {
  return std::make_unique<ThroughHost>(grid, messages, bytes);
}

}  // namespace trellis
