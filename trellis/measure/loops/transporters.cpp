// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/measure/loops/transporters.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "trellis/core/lanes.hpp"
#include "trellis/lattice/dispatch.hpp"

namespace trellis::measure {

namespace {

// A step in each place.
struct Steps {
  int count;
  int of[4];

  Steps(const Displacements& r, std::size_t axis) : count(r.count), of{} {
    for (int k = 0; k < count; ++k) of[k] = r.direction[std::size_t(k)][axis];
  }
};

double sites_of(const Lattice& lattice) { return double(lattice.local_volume()); }

// Bytes of `count` of the four places of fields.
template <class... Fields>
double bytes_in(int count, const Fields&... fields) {
  return bytes_of(fields...) * count / 4;
}

template <int W>
void move(const Steps& steps, const GaugeField<double, W>& from, const GaugeField<double, W>& to) {
  const auto in = from.access(), out = to.access();
  for_each_tile(
      {"lines displaced by a step", bytes_in(steps.count, from, to)}, from.lattice(), TRELLIS_KERNEL(int tile) {
        for (int k = 0; k < steps.count; ++k) out.set_link(tile, k, in.link(in.neighbours(tile, steps.of[k]), k));
      });
  to.exchange(Reach::near);
}

// to += share * (link of the step) (line of the next site)
template <int W>
void add_after_step(const Steps& steps, double share, const GaugeField<double, W>& u,
                    const GaugeField<double, W>& lines, const GaugeField<double, W>& to) {
  using S = lanes_t<double, W>;
  const auto links = u.access(), in = lines.access(), out = to.access();
  const Kernel kernel{"steps before lines", bytes_in(steps.count, u, lines, to, to),
                      sites_of(u.lattice()) * steps.count * product_flops};
  for_each_tile(
      kernel, u.lattice(), TRELLIS_KERNEL(int tile) {
        for (int k = 0; k < steps.count; ++k) {
          const int step = steps.of[k];
          const Hop next = in.neighbours(tile, step);
          const Matrix<S> line = in.link(next, k);
          const Matrix<S> sum =
              step < 4 ? links.link(tile, step) * line : adjoint_multiply(links.link(next, step - 4), line);
          out.set_link(tile, k, fma(S(share), sum, out.link(tile, k)));
        }
      });
}

}  // namespace

std::vector<Displacements> displacements_of(const std::array<int, 3>& steps) {
  std::vector<std::array<int, 3>> all;  // as vectors whose first component that is not zero is positive
  auto sorted = steps;
  std::ranges::sort(sorted);
  do {
    for (int signs = 0; signs < 8; ++signs) {
      auto r = sorted;
      for (int i = 0; i < 3; ++i)
        if ((signs >> i & 1) != 0) r[std::size_t(i)] = -r[std::size_t(i)];
      const auto first = std::ranges::find_if(r, [](int component) { return component != 0; });
      if (first != r.end() && *first > 0 && std::ranges::find(all, r) == all.end()) all.push_back(r);
    }
  } while (std::ranges::next_permutation(sorted).found);

  std::vector<Displacements> groups;
  for (const auto& r : all) {
    if (groups.empty() || groups.back().count == 4 || (all.size() % 4 != 0 && groups.back().count == 3))
      groups.push_back({.steps = steps});
    std::array<int, 3> axes{0, 1, 2};
    std::ranges::sort(axes, {}, [&](int axis) { return std::pair(-std::abs(r[std::size_t(axis)]), axis); });
    auto& group = groups.back();
    auto& direction = group.direction[std::size_t(group.count++)];
    for (std::size_t i = 0; i < 3; ++i) direction[i] = r[std::size_t(axes[i])] < 0 ? backward(axes[i]) : axes[i];
  }
  return groups;
}

template <int W>
void displace(const Displacements& r, GaugeField<double, W>& of, GaugeField<double, W>& spare) {
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (int n = 0; n < r.steps[axis]; ++n) {
      move(Steps(r, axis), of, spare);
      std::swap(of, spare);
    }
}

// E_w = sum over the axes i of w_i / |w| U_i E_(w - i) for the w from zero to all steps: the fraction of the orders
// that begin along i is w_i / |w|.
template <int W>
GaugeField<double, W> elementary_lines(const Displacements& r, const GaugeField<double, W>& u) {
  using Counts = std::array<int, 3>;
  const int length = r.steps[0] + r.steps[1] + r.steps[2];
  std::map<Counts, GaugeField<double, W>> shorter{{Counts{}, GaugeField<double, W>::unit(u.lattice())}};
  for (int n = 1; n <= length; ++n) {
    std::map<Counts, GaugeField<double, W>> lines;
    for (const auto& [done, line] : shorter)
      for (std::size_t axis = 0; axis < 3; ++axis) {
        auto counts = done;
        if (++counts[axis] > r.steps[axis]) continue;
        const auto [to, added] = lines.try_emplace(counts);
        if (added) to->second = GaugeField<double, W>(u.lattice(), "lines");
        add_after_step(Steps(r, axis), double(counts[axis]) / n, u, line, to->second);
      }
    for (const auto& [counts, line] : lines) line.exchange(Reach::near);
    shorter = std::move(lines);
  }
  return shorter.begin()->second;
}

template <int W>
GaugeField<double, W> time_links(const gauge::TimeSlice& from, const GaugeField<double, W>& u) {
  using S = lanes_t<double, W>;
  const GaugeField<double, W> to(u.lattice(), "links in time");
  const auto in = u.access(), out = to.access();
  for_each_tile(
      {"links in time", bytes_of(to) + bytes_in(1, u)}, u.lattice(), TRELLIS_KERNEL(int tile) {
        const mask_t<S> there = from.template lanes_of<S>(tile);
        Matrix<S> link = in.link(tile, 3);
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j) link.e[i][j] = select(there, link.e[i][j], complex<S>{});
        for (int k = 0; k < 4; ++k) out.set_link(tile, k, link);
      });
  to.exchange(Reach::near);
  return to;
}

template <int W>
void join_lines(int count, const GaugeField<double, W>& first, const GaugeField<double, W>& then,
                const GaugeField<double, W>& to) {
  const auto a = first.access(), b = then.access(), out = to.access();
  const Kernel kernel{"lines joined", bytes_in(count, first, then, to), sites_of(to.lattice()) * count * product_flops};
  for_each_tile(
      kernel, to.lattice(), TRELLIS_KERNEL(int tile) {
        for (int k = 0; k < count; ++k) out.set_link(tile, k, a.link(tile, k) * b.link(tile, k));
      });
  to.exchange(Reach::near);
}

template <int W>
void carry_in_time(int count, const GaugeField<double, W>& begin, const GaugeField<double, W>& of,
                   const GaugeField<double, W>& end, const GaugeField<double, W>& to) {
  using S = lanes_t<double, W>;
  const auto before = begin.access(), lines = of.access(), behind = end.access(), out = to.access();
  const Kernel kernel{"lines carried in time", bytes_in(count, of, end, to) + bytes_in(1, begin),
                      2 * sites_of(to.lattice()) * count * product_flops};
  for_each_tile(
      kernel, to.lattice(), TRELLIS_KERNEL(int tile) {
        const Hop later = lines.neighbours(tile, 3);
        const Matrix<S> first = before.link(tile, 0);
        for (int k = 0; k < count; ++k)
          out.set_link(tile, k, multiply_adjoint(first * lines.link(later, k), behind.link(tile, k)));
      });
  to.exchange(Reach::near);
}

template <int W>
double sum_of_traces(int count, const GaugeField<double, W>& a, const GaugeField<double, W>& b) {
  using S = lanes_t<double, W>;
  const auto lines = a.access(), others = b.access();
  const Kernel kernel{"traces of lines", bytes_in(count, a, b), 36 * sites_of(a.lattice()) * count};
  return sum_over_tiles<S, 1>(
      kernel, a.lattice(), TRELLIS_KERNEL(int tile, ExactAccumulator<S>* out) {
        for (int k = 0; k < count; ++k) out[0].add(real_trace_adjoint(lines.link(tile, k), others.link(tile, k)));
      })[0];
}

#define TRELLIS_INSTANTIATE(W)                                                                         \
  template void displace(const Displacements&, GaugeField<double, W>&, GaugeField<double, W>&);        \
  template GaugeField<double, W> elementary_lines(const Displacements&, const GaugeField<double, W>&); \
  template GaugeField<double, W> time_links(const gauge::TimeSlice&, const GaugeField<double, W>&);    \
  template void join_lines(int, const GaugeField<double, W>&, const GaugeField<double, W>&,            \
                           const GaugeField<double, W>&);                                              \
  template void carry_in_time(int, const GaugeField<double, W>&, const GaugeField<double, W>&,         \
                              const GaugeField<double, W>&, const GaugeField<double, W>&);             \
  template double sum_of_traces(int, const GaugeField<double, W>&, const GaugeField<double, W>&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::measure
