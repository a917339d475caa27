// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/results/hadron_file.hpp"

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

HadronFile::HadronFile(std::filesystem::path file, std::string number, CorrelatorLayout layout)
    : file_(std::move(file)), number_(std::move(number)), layout_(std::move(layout)) {
  if (std::filesystem::exists(file_)) read();
}

void HadronFile::read() {
  const auto file = io::Hdf5File::open(file_);
  const auto numbers = file.read<std::int64_t>(path(number_));
  const auto length = layout_.length();
  for (const auto& correlator : layout_.correlators) {
    const auto& name = correlator.name;
    const auto values = file.read<double>(path(name));
    if (values.size() != 2 * numbers.size() * length)
      fail("{}: {} has {} values, expected {} x {}", file_.string(), path(name), values.size(), numbers.size(),
           2 * length);
    auto value = values.begin();
    for (const auto n : numbers)
      for (std::size_t i = 0; i < length; ++i, value += 2) correlators_[n].emplace_back(value[0], value[1]);
  }
  correlators_.require_check(file, layout_.group.c_str(), file_);
}

void HadronFile::write(const FileOrigin& origin) {
  if (!correlators_.take_changed()) return;
  if (correlators_.empty()) {
    std::filesystem::remove(file_);
    return;
  }
  std::vector<std::int64_t> numbers;
  for (const auto& [number, unused] : correlators_) numbers.push_back(number);
  auto file = io::Hdf5File::create(file_);
  file.write<std::int64_t>(path(number_), numbers);
  file.write<std::int64_t>(path("sources"), flat(layout_.sources), {layout_.sources.size(), 4});
  file.write<std::int64_t>(path("momenta"), flat(layout_.momenta), {layout_.momenta.size(), 3});
  const auto length = layout_.length();
  std::size_t place = 0;
  for (const auto& correlator : layout_.correlators) {
    const auto& name = correlator.name;
    std::vector<double> values;
    values.reserve(2 * numbers.size() * length);
    for (const auto& [number, all] : correlators_)
      for (std::size_t i = place * length; i < (place + 1) * length; ++i) {
        values.push_back(all.at(i).real());
        values.push_back(all.at(i).imag());
      }
    file.write<double>(path(name), values,
                       {numbers.size(), layout_.sources.size(), layout_.momenta.size(), std::size_t(layout_.times), 2});
    describe_array(file, path(name), "correlator of " + correlator.channel + "; time counts from the source",
                   correlator.units, {"configuration", "source", "momentum", "time", "real and imaginary part"});
    file.set_attribute(path(name), "channel", correlator.channel);
    if (correlator.kappa) file.set_attribute(path(name), "kappa", *correlator.kappa);
    for (const auto& [label, value] : correlator.labels) file.set_attribute(path(name), label, value);
    ++place;
  }
  describe_array(file, path(number_), "number of the configuration in the table", "1", {"configuration"});
  describe_array(file, path("sources"), "positions of the sources", "a", {"source", "x, y, z, t"});
  describe_array(file, path("momenta"), "n of the momentum 2 pi n / L", "1", {"momentum", "x, y, z"});
  describe_file(file, origin, last());
  correlators_.set_check(file, layout_.group.c_str());
  file.commit();
}

}  // namespace trellis::app
