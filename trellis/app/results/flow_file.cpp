// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/results/flow_file.hpp"

#include "trellis/core/error.hpp"
#include "trellis/io/hdf5_file.hpp"

namespace trellis::app {
namespace {

struct Column {
  const char* name;
  double gauge::FlowPoint::* member;
};
constexpr Column kColumns[] = {{"flow/energy", &gauge::FlowPoint::energy_clover},
                               {"flow/energy_spatial", &gauge::FlowPoint::energy_spatial},
                               {"flow/energy_temporal", &gauge::FlowPoint::energy_temporal},
                               {"flow/energy_plaquette", &gauge::FlowPoint::energy_plaquette},
                               {"flow/plaquette", &gauge::FlowPoint::plaquette},
                               {"flow/topological_charge", &gauge::FlowPoint::topological_charge}};

}  // namespace

FlowFile::FlowFile(std::filesystem::path file, std::string number, const gauge::FlowParameters& parameters)
    : file_(std::move(file)), number_(std::move(number)), parameters_(parameters) {
  if (std::filesystem::exists(file_)) read();
}

void FlowFile::add(std::int64_t number, const std::vector<gauge::FlowPoint>& points) {
  curves_[number] = points;
  changed_ = true;
}

void FlowFile::drop_after(std::int64_t last) {
  const auto first = curves_.upper_bound(last);
  if (first == curves_.end()) return;
  curves_.erase(first, curves_.end());
  changed_ = true;
}

io::CheckedRows FlowFile::first_rows(std::uint64_t count) const {
  io::CheckedRows found;
  for (const auto& [number, curve] : curves_) {
    if (found.rows == count) break;
    ++found.rows;
    found.add(&number, sizeof number);
    for (const auto& point : curve) {
      found.add(&point.time, sizeof point.time);
      for (const auto& column : kColumns) found.add(&(point.*column.member), sizeof(double));
    }
  }
  return found;
}

io::CheckedRows FlowFile::rows() const { return first_rows(curves_.size()); }

void FlowFile::go_back_to(const io::CheckedRows& saved) {
  io::require_same(file_, first_rows(saved.rows), saved);
  curves_.erase(std::next(curves_.begin(), static_cast<std::ptrdiff_t>(saved.rows)), curves_.end());
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
  for (auto& [number, curve] : curves_)
    for (std::size_t i = 0; i < times.size(); ++i) curve[i].time = times[i];
  // Files of earlier versions have none.
  if (file.has_attribute("flow", "check") &&
      file.attribute("flow", "check") != io::Hdf5File::Attribute(std::int64_t{rows().crc}))
    fail("{}: is damaged: its numbers differ from their check", file_.string());
  changed_ = true;  // so that what nobody reads is whole again, too
}

void FlowFile::write() {
  if (!changed_) return;
  changed_ = false;
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
  }
  file.set_attribute("flow", "c1", parameters_.c1);
  file.set_attribute("flow", "step", parameters_.step);
  file.set_attribute("flow", "tolerance", parameters_.tolerance);
  file.set_attribute("flow", "check", std::int64_t{rows().crc});
  file.commit();
}

}  // namespace trellis::app
