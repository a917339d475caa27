// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/measure/observable.hpp"

#include <gtest/gtest.h>

#include <set>

#include "trellis/core/base/named.hpp"
#include "trellis/measure/gauge_observables.hpp"

namespace trellis::measure {
namespace {

Observable lanes_observable(std::string name, std::vector<ObservableColumn> columns, int numbers = 1) {
  return observable({.name = std::move(name), .what = "lanes", .columns = std::move(columns)},
                    [numbers]<int W>(const Configuration<W>& u) {
                      return std::vector<double>(static_cast<std::size_t>(numbers),
                                                 double(u.links().lattice().lanes()));
                    });
}

TEST(Observables, AreNamedInTheOrderOfTheTable) {
  std::set<std::string> names, columns;
  for (const auto& o : observables()) {
    EXPECT_TRUE(names.insert(o.name).second) << o.name;
    EXPECT_FALSE(o.what.empty()) << o.name;
    for (const auto& column : o.columns) EXPECT_TRUE(columns.insert(column.name).second) << column.name;
  }
  EXPECT_EQ(names_of(observables_named({"energy", "polyakov"})), (std::vector<std::string>{"polyakov", "energy"}));
  EXPECT_THROW(observables_named({"enrgy"}), InputError);
}

TEST(Observables, OneCanBeAdded) {
  add_observable(lanes_observable("lanes", {{"lanes"}}));
  const auto added = observables_named({"lanes"});
  const int most = compiled_lane_counts().back();
  with_lanes(most, [&]<int W>() {
    const auto u = GaugeField<double, W>::unit(Lattice({8, 8, 8, 8}, W));
    const auto m = measure_gauge({.observables = added}, u);
    EXPECT_EQ(m.observables.at("lanes"), (std::vector<double>{double(most)}));
  });
  const auto refused = [](const Observable& o, const char* why) {
    try {
      add_observable(o);
      FAIL() << "expected: " << why;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
    }
  };
  refused(lanes_observable("lanes", {{"lanes"}}), "two observables 'lanes'");
  refused(lanes_observable("My lanes", {{"lanes"}}), "'My lanes', expected small letters");
  refused(lanes_observable("other", {{"lanes"}}), "a column is called 'lanes', expected 'other'");
  refused(lanes_observable("other", {}), "no columns");
  refused(lanes_observable("lanes_x", {{"lanes_x"}, {"lanes_x,y"}}), "a column is called 'lanes_x,y'");
  refused(lanes_observable("energy_spatial", {{"energy_spatial"}}), "two columns 'energy_spatial'");
  refused({.name = "other", .what = "", .columns = {{"other"}}}, "no function");
  add_observable(lanes_observable("two", {{"two"}}, 2));
  const auto u = GaugeField<double, 1>::unit(Lattice({2, 2, 2, 2}));
  EXPECT_THROW(measure_gauge({.observables = observables_named({"two"})}, u), Error);
}

}  // namespace
}  // namespace trellis::measure
