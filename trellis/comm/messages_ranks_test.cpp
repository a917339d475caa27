// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <set>

#include "trellis/comm/messages.hpp"
#include "trellis/core/error.hpp"

namespace trellis::comm {
namespace {

using Bytes = std::vector<std::byte>;

// The bytes that a rank sends with a label in a round.
Bytes content(int from, int label, int round, std::size_t size) {
  std::mt19937 numbers(std::uint32_t((from * 256 + label) * 1000 + round));
  Bytes bytes(size);
  for (auto& byte : bytes) byte = std::byte(numbers());
  return bytes;
}

class Halo : public testing::Test {
 protected:
  const Communicator ranks = Communicator::world();
  const int rank = ranks.rank(), size = ranks.size();
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;
};

// Sizes below and above MPI's eager limit. Both directions of a ring: with two ranks both peers are the same, and with
// one they are the rank itself.
TEST_F(Halo, GoesAroundARing) {
  for (const std::size_t bytes : {1U, 40U, 5000U, 300000U}) {
    Bytes out[2] = {Bytes(bytes), Bytes(bytes)}, in[2] = {Bytes(bytes), Bytes(bytes)};
    // Part 0 sends to the right and receives from the right; labels tell the directions apart.
    Messages messages(ranks, "ring", {{right, 0, out[0], right, 1, in[0]}, {left, 1, out[1], left, 0, in[1]}});
    const int rounds = bytes < 10000 ? 300 : 20;
    std::mt19937 order(std::uint32_t(rank + 17));
    for (int round = 0; round < rounds; ++round) {
      for (int label = 0; label < 2; ++label) {
        const auto fresh = content(rank, label, round, bytes);
        std::copy(fresh.begin(), fresh.end(), out[label].begin());
      }
      messages.expect();
      const int first = int(order() % 2);
      messages.send(first);
      if (round % 3 == 0) {
        EXPECT_LT(messages.next(Wait::no), 2);
      }
      messages.send(1 - first);
      if (round % 3 != 0) {
        std::set<int> seen;
        for (int k; (k = messages.next(round % 3 == 1 ? Wait::yes : Wait::no)) != -1;)
          EXPECT_TRUE(k < 0 || seen.insert(k).second);
        EXPECT_EQ(seen, (std::set<int>{0, 1}));
      }
      messages.finish();
      ASSERT_EQ(in[0], content(right, 1, round, bytes)) << round;
      ASSERT_EQ(in[1], content(left, 0, round, bytes)) << round;
    }
  }
}

// Two with the same labels and peers, with the rounds of one inside those of the other; and one that was moved.
TEST_F(Halo, DoNotMix) {
  Bytes out[2] = {content(rank, 9, 0, 64), content(rank, 9, 1, 64)}, in[2] = {Bytes(64), Bytes(64)};
  Messages first(ranks, "first", {{right, 9, out[0], left, 9, in[0]}});
  Messages made(ranks, "second", {{right, 9, out[1], left, 9, in[1]}});
  Messages second = std::move(made);
  for (int round = 0; round < 50; ++round) {
    first.expect();
    second.expect();
    if (rank % 2 == 0) first.send(0);
    second.send(0);
    if (rank % 2 != 0) first.send(0);
    if (round % 2 == 0) second.finish();
    first.finish();
    second.finish();
    EXPECT_EQ(in[0], content(left, 9, 0, 64));
    EXPECT_EQ(in[1], content(left, 9, 1, 64));
  }
}

// Every rank with every rank, including itself, with different sizes; some have nothing to send, or to receive.
TEST_F(Halo, ConnectsAllRanks) {
  const auto bytes = [](int from, int to) { return std::size_t((from * 7 + to * 3) % 5) * 1000; };
  std::vector<Bytes> out, in;
  for (int peer = 0; peer < size; ++peer) {
    out.push_back(content(rank, peer, 0, bytes(rank, peer)));
    in.emplace_back(bytes(peer, rank));
  }
  std::vector<Messages::Part> parts;
  for (int peer = 0; peer < size; ++peer) {
    const auto p = std::size_t(peer);
    parts.push_back({peer, peer, out[p], peer, rank, in[p]});
  }
  Messages messages(ranks, "all", parts);
  for (int round = 0; round < 10; ++round) {
    for (auto& one : in) std::fill(one.begin(), one.end(), std::byte{0});
    messages.expect();
    for (int peer = 0; peer < size; ++peer) messages.send((peer + rank) % size);
    std::set<int> seen;
    for (int k; (k = messages.next()) >= 0;) {
      EXPECT_TRUE(seen.insert(k).second);
      // Data of parts that next() returned have arrived.
      EXPECT_EQ(in[std::size_t(k)], content(k, rank, 0, bytes(k, rank)));
    }
    EXPECT_EQ(seen.size(), std::size_t(size));
    messages.finish();
  }
}

TEST_F(Halo, SaysWhatIsWrong) {
  Bytes out(8), in(8), longer(9);
  const auto error = [](const std::function<void()>& f) -> std::string {
    try {
      f();
    } catch (const Error& caught) {
      return caught.what();
    }
    return "";
  };
  EXPECT_EQ(error([&] { Messages(ranks, "halo", {{size, 0, out, rank, 0, in}}); }),
            fmt::format("messages 'halo': there is no rank {} among {}", size, size));
  EXPECT_EQ(error([&] { Messages(ranks, "halo", {{rank, 256, out, rank, 256, in}}); }),
            "messages 'halo': label 256 is not from 0 to 255");
  EXPECT_EQ(error([&] { Messages(ranks, "halo", {{rank, 1, out, rank, 2, in}}); }),
            fmt::format("messages 'halo': rank {} sends itself label 1, which no part expects", rank));
  EXPECT_EQ(error([&] { Messages(ranks, "halo", {{rank, 1, out, rank, 1, longer}}); }),
            fmt::format("messages 'halo': rank {} sends itself 8 bytes with label 1, and expects 9", rank));
  Messages messages(ranks, "halo", {{rank, 1, out, rank, 1, in}});
  EXPECT_EQ(error([&] { messages.send(0); }), "messages 'halo': send() before expect()");
  messages.expect();
  EXPECT_EQ(messages.next(Wait::no), -2);
  EXPECT_NE(error([&] { messages.next(); }), "");
  EXPECT_EQ(error([&] { messages.expect(); }), "messages 'halo': expect() before finish()");
  messages.send(0);
  EXPECT_EQ(error([&] { messages.send(0); }), "messages 'halo': a part is sent twice");
  EXPECT_EQ(messages.next(), 0);
  EXPECT_EQ(messages.next(), -1);
  messages.finish();
  // The sizes of other ranks are known only when the message arrives.
  if (size == 1) return;
  for (const bool too_long : {false, true}) {
    Bytes sent(rank == 0 && too_long ? 16 : rank == 0 ? 4 : 8);
    Messages wrong(ranks, "halo", {{right, 3, sent, left, 3, in}});
    wrong.expect();
    wrong.send(0);
    const auto text = error([&] { wrong.finish(); });
    EXPECT_EQ(text.rfind(rank == 1 ? "messages 'halo': " : "", 0), 0U) << text;
    EXPECT_EQ(text.empty(), rank != 1) << text;
    ranks.barrier("after an error");
  }
}

// Destroyed while waiting for messages that never come.
TEST_F(Halo, MayBeGivenUp) {
  for (int i = 0; i < 3; ++i) {
    Bytes out(100), in(100);
    Messages messages(ranks, "given up", {{right, 0, out, left, 0, in}});
    messages.expect();
  }
  ranks.barrier("after");
}

}  // namespace
}  // namespace trellis::comm
