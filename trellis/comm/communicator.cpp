// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/comm/communicator.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "trellis/comm/detail/exact_words.hpp"
#include "trellis/comm/detail/ranks.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/kernel.hpp"
#include "trellis/core/profile/profile.hpp"

namespace trellis::comm {

using detail::Reduction;

namespace {

// Doubles as integers with the same order, NaN above all: a maximum that does not depend on the order of terms.
std::uint64_t ordered(double value) {
  if (std::isnan(value)) return std::uint64_t(std::numeric_limits<std::int64_t>::max());
  const auto bits = std::bit_cast<std::int64_t>(value);
  return static_cast<std::uint64_t>(bits < 0 ? bits ^ std::numeric_limits<std::int64_t>::max() : bits);
}

double from_ordered(std::uint64_t word) {
  const auto value = static_cast<std::int64_t>(word);
  if (value == std::numeric_limits<std::int64_t>::max()) return std::numeric_limits<double>::quiet_NaN();
  return std::bit_cast<double>(value < 0 ? value ^ std::numeric_limits<std::int64_t>::max() : value);
}

std::span<const std::byte> bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }
std::span<std::byte> bytes_of(std::string& text) { return std::as_writable_bytes(std::span(text)); }

}  // namespace

Communicator Communicator::world() {
  Communicator all;
  all.ranks_ = detail::world();
  return all;
}

Communicator Communicator::first(int count) const {
  if (count < 1 || count > size()) fail("cannot take the first {} of {} ranks", count, size());
  if (count == size()) return *this;
  Communicator part;
  part.ranks_ = ranks_->first(count);
  if (part.size() == 1) part.ranks_ = nullptr;
  return part;
}

int Communicator::rank() const { return ranks_ ? ranks_->rank : 0; }
int Communicator::size() const { return ranks_ ? ranks_->size : 1; }
int Communicator::rank_on_machine() const { return ranks_ ? ranks_->rank_on_machine : 0; }
int Communicator::ranks_on_machine() const { return ranks_ ? ranks_->ranks_on_machine : 1; }

void Communicator::barrier(const char* name) const {
  if (ranks_) ranks_->barrier(name);
}

void Communicator::sum(const char* name, std::span<std::uint64_t> values) const {
  if (ranks_) ranks_->reduce(name, Reduction::sum, values);
}

void Communicator::bitwise_xor(const char* name, std::span<std::uint64_t> values) const {
  if (ranks_) ranks_->reduce(name, Reduction::bitwise_xor, values);
}

void Communicator::maximum(const char* name, std::span<double> values) const {
  if (!ranks_) return;
  std::vector<std::uint64_t> words(values.size());
  std::transform(values.begin(), values.end(), words.begin(), ordered);
  ranks_->reduce(name, Reduction::largest, words);
  std::transform(words.begin(), words.end(), values.begin(), from_ordered);
}

void Communicator::add(const char* name, std::span<ExactSum> sums) const {
  if (!ranks_) return;
  const KernelTimer timer(Kernel{"sum over ranks"});
  constexpr std::size_t few = 16;
  std::uint64_t on_stack[few * detail::exact_words];
  std::vector<std::uint64_t> on_heap(sums.size() > few ? sums.size() * detail::exact_words : 0);
  const std::span<std::uint64_t> words(on_heap.empty() ? on_stack : on_heap.data(), sums.size() * detail::exact_words);
  for (std::size_t i = 0; i < sums.size(); ++i) detail::pack(sums[i], &words[i * detail::exact_words]);
  ranks_->reduce(name, Reduction::exact, words);
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] = detail::unpack(&words[i * detail::exact_words]);
}

void Communicator::broadcast(const char* name, std::span<std::byte> bytes, int from) const {
  if (ranks_) ranks_->broadcast(name, bytes, from);
}

std::string Communicator::broadcast(const char* name, const std::string& text, int from) const {
  if (!ranks_) return text;
  std::uint64_t size = text.size();
  ranks_->broadcast(name, std::as_writable_bytes(std::span(&size, 1)), from);
  std::string all(rank() == from ? text : std::string(size, '\0'));
  ranks_->broadcast(name, bytes_of(all), from);
  return all;
}

std::vector<std::string> Communicator::gather(const char* name, const std::string& text) const {
  if (!ranks_) return {text};
  std::vector<std::uint64_t> sizes(std::size_t(size()), 0);
  sizes[std::size_t(rank())] = text.size();
  ranks_->reduce(name, Reduction::sum, sizes);
  std::uint64_t total = 0;
  for (const auto one : sizes) total += one;
  std::string together(total, '\0');
  ranks_->gather(name, bytes_of(text), sizes, bytes_of(together));
  std::vector<std::string> all;
  std::size_t begin = 0;
  for (const auto one : sizes) {
    all.push_back(together.substr(begin, one));
    begin += one;
  }
  return all;
}

void Communicator::agree(const char* name, const std::string& problem, int code) const {
  const auto complain = [](const std::string& text, bool input) {
    if (input) throw InputError(text);
    throw Error(text);
  };
  const bool input = code == 2;
  if (!ranks_) {
    if (!problem.empty()) complain(problem, input);
    return;
  }
  std::uint64_t problems = problem.empty() ? 0 : 1;
  sum(name, {&problems, 1});
  if (problems == 0) return;
  // A letter for the kind of error precedes its text.
  const auto all = gather(name, problem.empty() ? "" : (input ? "i" : "e") + problem);
  const auto first = std::find_if(all.begin(), all.end(), [](const std::string& text) { return !text.empty(); });
  const bool same = std::all_of(all.begin(), all.end(), [&](const std::string& text) { return text == *first; });
  const auto text = first->substr(1);
  complain(same ? text : fmt::format("rank {}: {}", first - all.begin(), text), first->front() == 'i');
}

void Communicator::require_same(const char* what, const std::string& text) const {
  if (!ranks_) return;
  const auto expected = broadcast(what, text);
  std::string problem;
  if (text != expected) {
    const auto at = std::mismatch(text.begin(), text.end(), expected.begin(), expected.end()).first - text.begin();
    const auto excerpt = [at](const std::string& whole) {
      const auto from = whole.substr(std::size_t(at), 20);
      return from.empty() ? std::string("the end") : fmt::format("'{}'", from.substr(0, from.find('\n')));
    };
    problem = fmt::format("{} is not the same on all ranks: at byte {} it has {} here, {} on rank 0", what, at,
                          excerpt(text), excerpt(expected));
  }
  agree(what, problem);
}

}  // namespace trellis::comm
