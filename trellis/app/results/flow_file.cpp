// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/results/flow_file.hpp"

#include <utility>

#include "trellis/core/error.hpp"
#include "trellis/io/hdf5_file.hpp"

namespace trellis::app {
namespace {

struct Column {
  const char* name;
  double gauge::FlowPoint::* member;
  const char *long_name, *units;
};
constexpr Column kColumns[] = {
    {"flow/energy", &gauge::FlowPoint::energy_clover, "energy density E, clover definition", "a^-4"},
    {"flow/energy_spatial", &gauge::FlowPoint::energy_spatial, "its part from spatial planes", "a^-4"},
    {"flow/energy_temporal", &gauge::FlowPoint::energy_temporal, "its part from temporal planes", "a^-4"},
    {"flow/energy_plaquette", &gauge::FlowPoint::energy_plaquette, "energy density E from plaquettes", "a^-4"},
    {"flow/plaquette", &gauge::FlowPoint::plaquette, "average of Re tr P / 3", "1"},
    {"flow/topological_charge", &gauge::FlowPoint::topological_charge, "topological charge, clover definition", "1"}};

}  // namespace

FlowFile::FlowFile(std::filesystem::path file, std::string number, const gauge::FlowParameters& parameters)
    : file_(std::move(file)), number_(std::move(number)), parameters_(parameters) {
  if (std::filesystem::exists(file_)) read();
}

void add_flow_numbers(io::CheckedRows& rows, const std::vector<gauge::FlowPoint>& curve) {
  for (const auto& point : curve) {
    rows.add(&point.time, sizeof point.time);
    for (const auto& column : kColumns) rows.add(&(point.*column.member), sizeof(double));
  }
}

void FlowFile::add(std::int64_t number, std::vector<gauge::FlowPoint> points) {
  for (auto& point : points) point.slices = std::vector<gauge::SliceObservables>();
  curves_[number] = std::move(points);
}

void FlowFile::read() {
  const auto file = io::Hdf5File::open(file_);
  const auto times = file.read<double>("flow/time");
  const auto numbers = file.read<std::int64_t>("flow/" + number_);
  for (const auto n : numbers) curves_[n].resize(times.size());
  for (const auto& column : kColumns) {
    const auto values = file.read<double>(column.name);
    if (values.size() != numbers.size() * times.size())
      fail("{}: {} has {} values, expected {} x {}", file_.string(), column.name, values.size(), numbers.size(),
           times.size());
    auto value = values.begin();
    for (const auto n : numbers)
      for (auto& point : curves_[n]) point.*column.member = *value++;
  }
  for (const auto n : numbers)
    for (std::size_t i = 0; i < times.size(); ++i) curves_[n][i].time = times[i];
  curves_.require_check(file, "flow", file_);
}

void FlowFile::write(const FileOrigin& origin) {
  if (!curves_.take_changed()) return;
  if (curves_.empty()) {
    std::filesystem::remove(file_);
    return;
  }
  std::vector<double> times;
  std::vector<std::int64_t> numbers;
  for (const auto& point : curves_.begin()->second) times.push_back(point.time);
  for (const auto& [number, curve] : curves_) {
    if (curve.size() != times.size())
      fail("{}: the flow of {} {} has {} points, those before it {}", file_.string(), number_, number, curve.size(),
           times.size());
    numbers.push_back(number);
  }
  auto file = io::Hdf5File::create(file_);
  file.write<double>("flow/time", times);
  file.write<std::int64_t>("flow/" + number_, numbers);
  for (const auto& column : kColumns) {
    std::vector<double> values;
    values.reserve(numbers.size() * times.size());
    for (const auto& [number, curve] : curves_)
      for (const auto& point : curve) values.push_back(point.*column.member);
    file.write<double>(column.name, values, {numbers.size(), times.size()});
    describe_array(file, column.name, column.long_name, column.units, {"configuration", "flow time"});
  }
  describe_array(file, "flow/time", "flow time t", "a^2", {"flow time"});
  describe_array(file, "flow/" + number_, "number of the configuration in the table", "1", {"configuration"});
  describe_file(file, origin, last());
  file.set_attribute("flow", "c1", parameters_.c1);
  file.set_attribute("flow", "step", parameters_.step);
  file.set_attribute("flow", "tolerance", parameters_.tolerance);
  curves_.set_check(file, "flow");
  file.commit();
}

}  // namespace trellis::app
