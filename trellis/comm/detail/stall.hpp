// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The watchdog's message: who waits where, and who is missing.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace trellis::comm::detail {

// Where a rank waits: in the number-th collective of `ranks` ranks starting with `first`; or for a message from the
// rank `first`, or to it. Ranks are numbered as in the job. Plain bytes, since ranks send it to one another.
struct Place {
  enum Kind : std::int32_t { collective, message_from, message_to };
  Kind kind = collective;
  std::int32_t first = 0, ranks = 0;
  std::uint64_t number = 0;
  char name[80] = {};

  Place() = default;
  Place(Kind of, const char* called, std::uint64_t count, std::int32_t begin, std::int32_t how_many);
  bool operator==(const Place& other) const;
  std::string text(int size) const;
};

// "ranks 0-3, 7"
std::string ranks_text(const std::vector<int>& ranks);

// waiting: the ranks, of this many, that reported where they wait.
std::string stall_text(const std::map<int, Place>& waiting, int size, double seconds);

}  // namespace trellis::comm::detail
