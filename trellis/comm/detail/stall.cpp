// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/comm/detail/stall.hpp"

#include <fmt/format.h>

#include <cstring>
#include <numeric>

namespace trellis::comm::detail {

Place::Place(Kind of, const char* called, std::uint64_t count, std::int32_t begin, std::int32_t how_many)
    : kind(of), first(begin), ranks(how_many), number(count) {
  std::strncpy(name, called, sizeof name - 1);
}

bool Place::operator==(const Place& other) const {
  return kind == other.kind && first == other.first && ranks == other.ranks && number == other.number &&
         std::strcmp(name, other.name) == 0;
}

std::string Place::text(int size) const {
  switch (kind) {
    case message_from:
      return fmt::format("for a message of '{}' from rank {}", name, first);
    case message_to:
      return fmt::format("for rank {} to take a message of '{}'", first, name);
    case collective:
      break;
  }
  std::vector<int> all(static_cast<std::size_t>(ranks));
  std::iota(all.begin(), all.end(), first);
  return fmt::format("in '{}' (collective {}{}{})", name, number, ranks < size ? " of " : "",
                     ranks < size ? ranks_text(all) : "");
}

std::string ranks_text(const std::vector<int>& ranks) {
  std::string text = ranks.size() == 1 ? "rank " : "ranks ";
  for (std::size_t i = 0; i < ranks.size();) {
    std::size_t end = i + 1;
    while (end < ranks.size() && ranks[end] == ranks[end - 1] + 1) ++end;
    if (end - i < 3) end = i + 1;
    if (i > 0) text += ", ";
    text += end - i == 1 ? fmt::format("{}", ranks[i]) : fmt::format("{}-{}", ranks[i], ranks[end - 1]);
    i = end;
  }
  return text;
}

std::string stall_text(const std::map<int, Place>& waiting, int size, double seconds) {
  std::vector<std::pair<Place, std::vector<int>>> groups;
  std::vector<int> missing;
  for (int rank = 0; rank < size; ++rank) {
    const auto found = waiting.find(rank);
    if (found == waiting.end()) {
      missing.push_back(rank);
      continue;
    }
    std::size_t group = 0;
    while (group < groups.size() && !(groups[group].first == found->second)) ++group;
    if (group == groups.size()) groups.push_back({found->second, {}});
    groups[group].second.push_back(rank);
  }
  const auto wait = [](const std::vector<int>& ranks) { return ranks.size() == 1 ? "waits" : "wait"; };
  if (groups.size() == 1 && groups[0].first.kind == Place::collective) {
    const Place& place = groups[0].first;
    const std::vector<int>& ranks = groups[0].second;
    std::erase_if(missing, [&](int rank) { return rank < place.first || rank >= place.first + place.ranks; });
    if (!missing.empty())
      return fmt::format("{} {} not come to '{}' (collective {}) in {:g} s; {} {} there", ranks_text(missing),
                         missing.size() == 1 ? "has" : "have", place.name, place.number, seconds, ranks_text(ranks),
                         wait(ranks));
  }
  std::string text = fmt::format("nothing has come in {:g} s: ", seconds);
  for (std::size_t i = 0; i < groups.size(); ++i)
    text += fmt::format("{}{} {} {}", i == 0 ? "" : "; ", ranks_text(groups[i].second), wait(groups[i].second),
                        groups[i].first.text(size));
  if (!missing.empty())
    text += fmt::format("; {} {} for nothing", ranks_text(missing), missing.size() == 1 ? "waits" : "wait");
  return text;
}

}  // namespace trellis::comm::detail
