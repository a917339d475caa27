// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/analyse/matrix_elements.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "trellis/app/analyse/correlator_rows.hpp"
#include "trellis/app/analyse/hadron_jobs.hpp"
#include "trellis/core/base/joined.hpp"
#include "trellis/core/error.hpp"

namespace trellis::app {
namespace {

using Numbers = std::array<int, 3>;  // of a momentum
int squared(const Numbers& n) { return n[0] * n[0] + n[1] * n[1] + n[2] * n[2]; }

using CurrentRows = std::tuple<std::string, std::string, Numbers>;  // fixed sink, current, q
using TwoPointRows = std::tuple<std::string, std::string, int>;     // quarks, sink, n^2

constexpr const char *real_part = "three_point_re", *imaginary_part = "three_point_im";

void read_three_point(const ChainResults& chain, Correlators<CurrentRows>& to) {
  const auto file = chain.folder.three_point();
  if (!std::filesystem::exists(file)) return;
  const auto data = io::read_csv(file, {"fixed_sink", "current"});
  const auto sinks = io::read_csv_texts(file, "fixed_sink"), currents = io::read_csv_texts(file, "current");
  const auto &x = data.column("momentum_x"), &y = data.column("momentum_y"), &z = data.column("momentum_z");
  read_correlators(
      chain, file, data, {real_part, imaginary_part},
      [&](std::size_t i) {
        return std::optional<CurrentRows>({sinks[i], currents[i], Numbers{int(x[i]), int(y[i]), int(z[i])}});
      },
      to);
}

void read_two_point(const ChainResults& chain, const std::vector<std::string>& channels,
                    Correlators<TwoPointRows>& to) {
  const auto file = chain.folder.hadrons();
  if (!std::filesystem::exists(file)) return;
  const auto data = io::read_csv(file, {"sink", "quarks"});
  const auto sinks = io::read_csv_texts(file, "sink"), quarks = io::read_csv_texts(file, "quarks");
  const auto& n2 = data.column("momentum_squared");
  read_correlators(
      chain, file, data, channels,
      [&](std::size_t i) { return std::optional<TwoPointRows>({quarks[i], sinks[i], int(n2[i])}); }, to);
}

// Hadrons at both ends of a three-point function.
struct Transition {
  std::string initial, final_state;  // their quarks' names, joined by dots
  std::string channel;
  Numbers sink_momentum{};
  int time = 0;
  std::string sink, like_source;  // sinks of two-point functions; like_source is empty where the source has no like
};

Transition transition_of(const measure::FixedSink& sink, const measure::HadronSelection& selection) {
  std::vector<std::string> initial, final_state;
  for (std::size_t k = 0; k < sink.quarks.size(); ++k) {
    initial.push_back(selection.quarks[std::size_t(sink.quarks[k])].name);
    final_state.push_back(int(k) == sink.place ? selection.quarks[std::size_t(sink.to)].name : initial.back());
  }
  const auto sink_like_source = [&]() -> std::string {
    if (selection.source == measure::QuarkSourceKind::point) return sink_name(measure::QuarkSink::point);
    if (selection.source == measure::QuarkSourceKind::gaussian) return sink_name(measure::QuarkSink::smeared);
    return "";
  };
  return {.initial = joined(initial, "."),
          .final_state = joined(final_state, "."),
          .channel = sink.channel,
          .sink_momentum = {sink.momentum[0], sink.momentum[1], sink.momentum[2]},
          .time = sink.time,
          .sink = sink_name(sink.smeared ? measure::QuarkSink::smeared : measure::QuarkSink::point),
          .like_source = sink_like_source()};
}

// A two-point function; of a meson also that of its antiparticle, whose average is the same.
const std::vector<analysis::Series>& two_point(const Correlators<TwoPointRows>& all, const std::string& quarks,
                                               const std::string& sink, int n2, const std::string& channel) {
  const auto find = [&](const std::string& name) { return all.find({TwoPointRows(name, sink, n2), channel}); };
  auto found = find(quarks);
  if (const auto dot = quarks.find('.'); found == all.end() && quarks.find('.', dot + 1) == std::string::npos)
    found = find(quarks.substr(dot + 1) + "." + quarks.substr(0, dot));
  if (found == all.end())
    fail("there is no two-point function of the {} ({}) with a {} sink at n^2 = {}", channel, quarks, sink, n2);
  return found->second;
}

analysis::ThreePointData data_of(const Transition& t, const Numbers& q,
                                 const std::vector<analysis::Series>& three_point,
                                 const Correlators<TwoPointRows>& all) {
  Numbers from{};
  for (std::size_t k = 0; k < 3; ++k) from[k] = t.sink_momentum[k] - q[k];
  const int at_sink = squared(t.sink_momentum), at_source = squared(from);
  analysis::ThreePointData data{.sink_time = t.time,
                                .three_point = three_point,
                                .at_sink = two_point(all, t.final_state, t.sink, at_sink, t.channel),
                                .final_state = {},
                                .initial_state = {}};
  if (t.initial == t.final_state && at_sink == at_source) return data;
  if (t.like_source.empty())
    fail("between two hadrons, or with a momentum, it takes a sink like the source, and this source has none");
  data.final_state = two_point(all, t.final_state, t.like_source, at_sink, t.channel);
  data.initial_state = two_point(all, t.initial, t.like_source, at_source, t.channel);
  return data;
}

std::string name_of(const Transition& t) {
  const auto one = [&](const std::string& quarks) { return fmt::format("{} ({})", t.channel, quarks); };
  return t.initial == t.final_state ? one(t.initial) : one(t.initial) + " to " + one(t.final_state);
}

}  // namespace

MatrixElements matrix_elements(const Ensemble& ensemble, const analysis::PlateauParameters& parameters) {
  Correlators<CurrentRows> currents;
  for (const auto& chain : ensemble.chains) read_three_point(chain, currents);
  MatrixElements elements;
  if (currents.empty()) return elements;
  const auto job = jobs_of(ensemble.chains.front()).wilson;
  if (!job) return elements;
  std::set<std::string> channels;
  for (const auto& sink : job->selection.fixed_sinks) channels.insert(sink.channel);
  Correlators<TwoPointRows> hadrons;
  for (const auto& chain : ensemble.chains) read_two_point(chain, {channels.begin(), channels.end()}, hadrons);

  struct Sum {
    CurrentSum of;
    std::vector<analysis::ThreePointData> data;
  };
  std::vector<Sum> sums;
  std::map<std::tuple<std::string, std::string, std::string, Numbers, std::string, int, measure::SinkProjector,
                      std::string, Numbers, bool>,
           std::size_t>
      sum_of;
  for (const auto& sink : job->selection.fixed_sinks) {
    const Transition t = transition_of(sink, job->selection);
    for (const auto& current : sink.currents)
      for (const auto& n : sink.momenta) {
        const Numbers q{n[0], n[1], n[2]};
        for (const char* part : {real_part, imaginary_part}) {
          const auto found = currents.find({CurrentRows(sink.name, current, q), part});
          if (found == currents.end()) continue;
          CurrentRatio ratio{.what = {name_of(t), current, q, t.sink_momentum, part == imaginary_part},
                             .fixed_sink = sink.name,
                             .sink_time = sink.time,
                             .configurations = std::int64_t(found->second.size()),
                             .found = {},
                             .problem = {}};
          try {
            const auto data = data_of(t, q, found->second, hadrons);
            ratio.found = analysis::matrix_element(data, parameters);
            // Of sinks that differ in nothing but their time.
            const std::tuple key(t.initial, t.final_state, t.channel, t.sink_momentum, t.sink, sink.place,
                                 sink.projector, current, q, ratio.what.imaginary);
            const auto [place, is_new] = sum_of.emplace(key, sums.size());
            if (is_new)
              sums.push_back({.of = {.what = ratio.what, .fixed_sinks = {}, .found = {}, .problem = {}}, .data = {}});
            Sum& sum = sums[place->second];
            sum.of.fixed_sinks.push_back(sink.name);
            sum.data.push_back(data);
          } catch (const InputError&) {
            throw;
          } catch (const Error& error) {
            ratio.problem = error.what();
          }
          elements.ratios.push_back(std::move(ratio));
        }
      }
  }
  for (auto& sum : sums) {
    if (sum.data.size() < 2) continue;
    try {
      sum.of.found = analysis::summed_ratios(sum.data, parameters);
    } catch (const Error& error) {
      sum.of.problem = error.what();
    }
    elements.sums.push_back(std::move(sum.of));
  }
  return elements;
}

}  // namespace trellis::app
