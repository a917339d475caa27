// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "trellis/core/device/message_space.hpp"
#include "trellis/core/device/peer_memory.hpp"
#include "trellis/core/kernel.hpp"
#include "trellis/core/profile/profile_listener.hpp"
#include "trellis/core/runtime/dispatch_timer.hpp"
#include "trellis/lattice/halo/halo_transport.hpp"

namespace trellis {

namespace {

// Where peers find and leave messages: for each, a word that says which message has arrived and a word that says that
// its receiver is ready for the next, then two buffers that take turns. A rank is at most one turn ahead of its
// neighbours.
class IntoPeers final : public HaloTransport {
 public:
  IntoPeers(const comm::ProcessGrid& grid, std::span<const HaloMessage> messages, std::size_t bytes)
      : bytes_(bytes),
        bytes_of_words_(lattice_detail::whole_lines(2 * messages.size() * sizeof(std::uint32_t))),
        inbox_(bytes_of_words_ + 2 * bytes) {
    const auto& ranks = grid.ranks();
    const auto handles = ranks.gather("memory for messages", inbox_.handle());
    std::vector<std::byte*> inboxes(handles.size(), nullptr);
    const auto inbox_of = [&](int rank) {
      std::byte*& there = inboxes[std::size_t(rank)];
      if (there == nullptr) there = rank == ranks.rank() ? inbox_.data() : inbox_.open(handles[std::size_t(rank)]);
      return there;
    };
    // Word k says that message k is here, word count + k that its receiver is ready for it to be sent again.
    const auto word = [](std::byte* inbox, std::size_t k) { return reinterpret_cast<std::uint32_t*>(inbox) + k; };
    const std::size_t count = messages.size();
    for (std::size_t k = 0; k < count; ++k) {
      std::byte* const to = inbox_of(lattice_detail::receiver_of(grid, messages[k]));
      std::byte* const from = inbox_of(lattice_detail::sender_of(grid, messages[k]));
      outboxes_.push_back(to + bytes_of_words_);
      own_words_.push_back(word(inbox_.data(), k));
      own_words_.push_back(word(inbox_.data(), count + k));
      other_words_.push_back(word(to, k));
      other_words_.push_back(word(from, count + k));
    }
    ranks.barrier("memory for messages");
  }

  // Uses the other one of the two buffers.
  void begin(std::span<HaloMessage> messages) override {
    ++turn_;
    here_ = false;
    const std::size_t room = turn_ % 2 * bytes_;
    for (std::size_t k = 0; k < messages.size(); ++k) {
      messages[k].out.buffer = outboxes_[k] + room + messages[k].place;
      messages[k].in.buffer = inbox_.data() + bytes_of_words_ + room + messages[k].place;
    }
  }

  void send() override {
    in_timeline("send halo", [&](const FieldSpace& space) { peer_signal(space, other_words_, turn_); });
  }
  int next() override {
    if (here_) return no_message;
    here_ = true;
    in_timeline("wait for halo", [&](const FieldSpace& space) { peer_wait(space, own_words_, turn_); });
    return every_message;
  }
  void finish() override {}

 private:
  // Profiles do not count this: it is not work, and other kernels run meanwhile.
  template <class F>
  static void in_timeline(const char* name, const F& launch) {
    const FieldSpace space = MessageSpace<FieldSpace>::get();
    if (!has_listeners()) return launch(space);
    DispatchTimer timer(Kernel{name}, space);
    launch(space);
    timer.given();
  }

  std::size_t bytes_, bytes_of_words_;
  PeerMemory<FieldSpace> inbox_;
  std::vector<std::byte*> outboxes_;  // the inbox that each message goes to
  std::vector<std::uint32_t*> own_words_, other_words_;
  std::uint32_t turn_ = 0;
  bool here_ = false;
};

}  // namespace

std::unique_ptr<HaloTransport> into_peers(const comm::ProcessGrid& grid, std::span<const HaloMessage> messages,
                                          std::size_t bytes) {
  return std::make_unique<IntoPeers>(grid, messages, bytes);
}

}  // namespace trellis
