// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "trellis/core/base/named.hpp"
#include "trellis/core/error.hpp"
#include "trellis/measure/observable.hpp"

namespace trellis::measure {

// Each is defined beside what it measures. A new one is such a function, plus its name in both of these lists.
Observable polyakov_observable(), topological_charge_observable(), energy_observable(), parallelogram_observable(),
    eta_derivative_observable();

namespace {

std::vector<Observable>& all_observables() {
  static std::vector<Observable> all{polyakov_observable(), topological_charge_observable(), energy_observable(),
                                     parallelogram_observable(), eta_derivative_observable()};
  return all;
}

bool is_word(const std::string& text) {
  return !text.empty() && text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos;
}

std::int64_t columns_named(const std::string& name, const Observable& o) {
  return std::ranges::count_if(o.columns, [&](const ObservableColumn& column) { return column.name == name; });
}

}  // namespace

std::span<const Observable> observables() { return all_observables(); }

std::vector<Observable> observables_named(const std::vector<std::string>& names) {
  for (const auto& name : names) static_cast<void>(named("observable", observables(), name));
  std::vector<Observable> found;
  std::ranges::copy_if(observables(), std::back_inserter(found),
                       [&](const Observable& o) { return std::ranges::count(names, o.name) > 0; });
  return found;
}

void add_observable(Observable added) {
  const auto& name = added.name;
  if (!is_word(name)) fail("an observable is called '{}', expected small letters, digits and _", name);
  if (std::ranges::count(names_of(observables()), name) > 0) fail("there are two observables '{}'", name);
  if (!added.measure) fail("observable '{}': there is no function that measures it", name);
  if (added.columns.empty()) fail("observable '{}': it has no columns", name);
  for (const auto& column : added.columns) {
    if (!is_word(column.name) || (column.name != name && !column.name.starts_with(name + "_")))
      fail("observable '{}': a column is called '{}', expected '{}', or '{}_' and more", name, column.name, name, name);
    auto same = columns_named(column.name, added);
    for (const auto& other : observables()) same += columns_named(column.name, other);
    if (same > 1) fail("observable '{}': there are two columns '{}'", name, column.name);
  }
  all_observables().push_back(std::move(added));
}

std::vector<double> measure_observable(const Observable& observable, const AnyConfiguration& configuration) {
  auto numbers = observable.measure(configuration);
  if (numbers.size() != observable.columns.size())
    fail("observable '{}': {} numbers were measured, expected one for each of its {} columns", observable.name,
         numbers.size(), observable.columns.size());
  return numbers;
}

}  // namespace trellis::measure
