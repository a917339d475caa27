// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/results/hadron_file.hpp"

#include <fmt/format.h>

#include "trellis/core/error.hpp"
#include "trellis/io/hdf5_file.hpp"

namespace trellis::app {
namespace {

template <std::size_t N>
std::vector<std::int64_t> flat(const std::vector<std::array<int, N>>& rows) {
  std::vector<std::int64_t> all;
  for (const auto& row : rows) all.insert(all.end(), row.begin(), row.end());
  return all;
}

}  // namespace

HadronFile::HadronFile(std::filesystem::path file, std::string number, const HadronJob& job, const Coordinate& size)
    : file_(std::move(file)),
      number_(std::move(number)),
      job_(job),
      sources_(job.selection.sources(size)),
      times_(static_cast<std::size_t>(size[3])) {
  if (std::filesystem::exists(file_)) read();
}

std::vector<std::string> HadronFile::names() const {
  std::vector<std::string> all;
  const auto& s = job_.selection;
  for (const double kappa : s.kappas)
    for (const auto sink : s.sinks)
      for (const auto& channel : s.channels)
        all.push_back(fmt::format("hadrons/kappa_{}/{}/{}", kappa, sink_name(sink), channel));
  return all;
}

void HadronFile::read() {
  const auto file = io::Hdf5File::open(file_);
  const auto numbers = file.read<std::int64_t>("hadrons/" + number_);
  const auto length = sources_.size() * job_.selection.momenta.size() * times_;
  for (const auto& name : names()) {
    const auto values = file.read<double>(name);
    if (values.size() != 2 * numbers.size() * length)
      fail("{}: {} has {} values, expected {} x {}", file_.string(), name, values.size(), numbers.size(), 2 * length);
    auto value = values.begin();
    for (const auto n : numbers)
      for (std::size_t i = 0; i < length; ++i, value += 2) correlators_[n].emplace_back(value[0], value[1]);
  }
  correlators_.require_check(file, "hadrons", file_);
}

void HadronFile::write(const FileOrigin& origin) {
  if (!correlators_.take_changed()) return;
  if (correlators_.empty()) {
    std::filesystem::remove(file_);
    return;
  }
  const auto& s = job_.selection;
  std::vector<std::int64_t> numbers;
  for (const auto& [number, unused] : correlators_) numbers.push_back(number);
  auto file = io::Hdf5File::create(file_);
  file.write<std::int64_t>("hadrons/" + number_, numbers);
  file.write<std::int64_t>("hadrons/sources", flat(sources_), {sources_.size(), 4});
  file.write<std::int64_t>("hadrons/momenta", flat(s.momenta), {s.momenta.size(), 3});
  const auto length = sources_.size() * s.momenta.size() * times_;
  std::size_t place = 0;
  for (const auto& name : names()) {
    std::vector<double> values;
    values.reserve(2 * numbers.size() * length);
    for (const auto& [number, all] : correlators_)
      for (std::size_t i = place * length; i < (place + 1) * length; ++i) {
        values.push_back(all.at(i).real());
        values.push_back(all.at(i).imag());
      }
    file.write<double>(name, values, {numbers.size(), sources_.size(), s.momenta.size(), times_, 2});
    const auto channels = s.channels.size(), sinks = s.sinks.size();
    const auto& channel = s.channels[place % channels];
    const bool is_local =
        s.source == measure::QuarkSourceKind::point && s.sinks[place / channels % sinks] == measure::QuarkSink::point;
    describe_array(file, name, "correlator of " + channel + "; time counts from the source",
                   !is_local                     ? "lattice units"
                   : measure::is_baryon(channel) ? "a^-6"
                                                 : "a^-3",
                   {"configuration", "source", "momentum", "time", "real and imaginary part"});
    file.set_attribute(name, "kappa", s.kappas[place / channels / sinks]);
    file.set_attribute(name, "sink", sink_name(s.sinks[place / channels % sinks]));
    file.set_attribute(name, "channel", channel);
    ++place;
  }
  describe_array(file, "hadrons/" + number_, "number of the configuration in the table", "1", {"configuration"});
  describe_array(file, "hadrons/sources", "positions of the sources", "a", {"source", "x, y, z, t"});
  describe_array(file, "hadrons/momenta", "n of the momentum 2 pi n / L", "1", {"momentum", "x, y, z"});
  describe_file(file, origin, last());
  correlators_.set_check(file, "hadrons");
  file.commit();
}

}  // namespace trellis::app
