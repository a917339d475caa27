// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// trellis.Chain: the Markov chain of an input of `trellis run`, a trajectory at a time; results are the program's, bit
// for bit.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <algorithm>

#include "python/src/bindings.hpp"
#include "trellis/app/input/input.hpp"
#include "trellis/app/job/job.hpp"
#include "trellis/app/job/memory_limit.hpp"
#include "trellis/app/job/thread_choice.hpp"
#include "trellis/app/results/configuration_file.hpp"
#include "trellis/app/results/run_folder.hpp"
#include "trellis/app/results/trajectory_table.hpp"
#include "trellis/app/run/chain_setup.hpp"
#include "trellis/app/run/trajectory_measurement.hpp"
#include "trellis/core/base/log.hpp"
#include "trellis/core/error.hpp"
#include "trellis/io/formats/file_formats.hpp"

namespace trellis::python {
py::object value_of(const io::CsvCell& cell) {
  return std::visit(
      [](const auto& value) -> py::object {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::monostate>)
          return py::none();
        else
          return py::cast(value);
      },
      cell);
}

namespace {

class AnyChain {
 public:
  virtual ~AnyChain() = default;
  virtual std::vector<io::CsvCell> step() = 0;
  virtual std::uint32_t completed() const = 0;
  virtual const hmc::ChainStatistics& statistics() const = 0;
  virtual PyGaugeField links() const = 0;
  virtual void save(const std::filesystem::path& file) const = 0;
};

template <int W>
class ChainOf final : public AnyChain {
 public:
  explicit ChainOf(const app::RunInput& input)
      : input_(input),
        columns_(input),
        lattice_(input.size, W, SiteOrder::even_odd, {.directions = input.machine.site_order}) {
    if (input.algorithm.automatic)
      fail_input(
          "algorithm.kind = \"auto\" is for `trellis run`; `trellis tune INPUT` writes an input with what it chooses");
    if (input.chains > 0) fail_input("[ensemble] is for `trellis run`: a Chain is one chain");
    if (input.tempering) fail_input("[tempering] is for `trellis run`: a Chain has the links of one replica");
    if (const auto& job = columns_.observables().hadrons) measure::require_valid(job->selection, input.size);
    if (const auto& job = columns_.observables().staggered_hadrons) measure::require_valid(job->selection, input.size);
    state_.completed = static_cast<std::uint32_t>(input.start.trajectory);
    state_.links = app::start_links<W>(input, lattice_);
    const auto quarks = app::computed_quark_terms(input);
    algorithm_ = app::make_algorithm<W>(
        input, lattice_, app::make_terms<W>(input, lattice_, quarks), quarks,
        app::make_certificate<W>(input, lattice_, quarks, [](const std::string& text) { log_warning("{}", text); }));
  }

  // One trajectory of hmc::run_chain: what depends on the length of the chain does not matter here.
  std::vector<io::CsvCell> step() override {
    auto parameters = app::chain_parameters(input_);
    parameters.trajectories = state_.completed + 1;
    parameters.thermalisation = std::min(parameters.thermalisation, parameters.trajectories);
    parameters.accept_always = std::min(parameters.accept_always, parameters.thermalisation);
    parameters.time_budget_seconds = 0;
    std::vector<io::CsvCell> row;
    hmc::ChainCallbacks<double, W> callbacks;
    callbacks.on_trajectory = [&](const hmc::TrajectoryRecord& record, const hmc::ChainState<double, W>& state) {
      const auto m = app::measure_trajectory(input_, columns_.observables(), state.completed, state.links);
      row = columns_.row(record, 0, m);
    };
    // Ctrl-C: Python's handler has only noted it. An exception leaves the links as they were before the trajectory.
    callbacks.in_a_hurry = [] {
      const py::gil_scoped_acquire acquire;
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      return false;
    };
    hmc::run_chain(parameters, algorithm_, state_, callbacks);
    return row;
  }

  std::uint32_t completed() const override { return state_.completed; }
  const hmc::ChainStatistics& statistics() const override { return state_.statistics; }
  PyGaugeField links() const override { return {state_.links, input_.boundary}; }
  void save(const std::filesystem::path& file) const override {
    // What the next trajectories depend on has no place in other formats.
    auto extension = file.extension().string();
    if (!extension.empty()) extension.erase(0, 1);
    for (const auto& format : io::file_formats())
      if (format.name != "ildg" && format.write != nullptr &&
          (format.name == extension || std::ranges::count(format.extensions, extension) > 0))
        fail_input(
            "{}: save() writes ILDG, from which the chain can continue; links.write() writes files of the format {}",
            file.string(), format.title);
    app::require_output_file("file", file.string());
    app::write_configuration(file, input_, state_.completed, state_.links);
  }

 private:
  const app::RunInput& input_;
  app::TrajectoryColumns columns_;
  Lattice lattice_;
  hmc::ChainState<double, W> state_;
  hmc::Algorithm<double, W> algorithm_;
};

class PyChain {
 public:
  explicit PyChain(app::RunInput input) : input_(std::make_unique<const app::RunInput>(std::move(input))) {
    app::require_devices();
    app::require_memory(*input_);
    if (input_->machine.threads > 0) set_thread_count(static_cast<int>(input_->machine.threads));
    const comm::ProcessGrid alone;
    const int lanes = app::lanes_for(alone, input_->size, input_->machine);
    const app::ThreadChoice threads(alone, input_->size, lanes, !input_->quarks.flavours.empty(), input_->machine);
    names_ = app::TrajectoryColumns(*input_).names();
    chain_ =
        with_lanes(lanes, [&]<int W>() -> std::unique_ptr<AnyChain> { return std::make_unique<ChainOf<W>>(*input_); });
  }

  static PyChain from_text(const std::string& text, const std::string& name) {
    return PyChain(app::parse_run_input(text, name));
  }
  static PyChain from_file(const std::filesystem::path& file) { return PyChain(app::read_run_input(file)); }

  // The row of the program's table as a dictionary.
  py::dict step() {
    const auto cells = [&] {
      const py::gil_scoped_release release;
      return chain_->step();
    }();
    py::dict row;
    for (std::size_t i = 0; i < names_.size(); ++i)
      if (names_[i] != "tuning") row[py::str(names_[i])] = value_of(cells[i]);
    return row;
  }

  const app::RunInput& input() const { return *input_; }
  const AnyChain& chain() const { return *chain_; }

 private:
  std::unique_ptr<const app::RunInput> input_;  // the chain refers to it
  std::vector<std::string> names_;
  std::unique_ptr<AnyChain> chain_;
};

}  // namespace

void bind_chain(py::module_& m) {
  using Release = py::call_guard<py::gil_scoped_release>;
  py::class_<PyChain>(
      m, "Chain",
      "The Markov chain of an input of `trellis run`, a trajectory at a time; results are the program's, bit "
      "for bit. [output] and the keys of files in [chain] have no effect: nothing is written unless "
      "save() is called.")
      .def(py::init(&PyChain::from_text), py::arg("input"), py::arg("name") = "input", Release(),
           "input: the TOML text of an input; name: what messages call it.")
      .def_static("from_file", &PyChain::from_file, py::arg("file"), Release())
      .def("step", &PyChain::step,
           "Computes one trajectory, or one heatbath sweep with its overrelaxation, then what [measure] asks for. "
           "Returns the row of the program's table as a dictionary; None where nothing was measured. Ctrl-C raises "
           "KeyboardInterrupt between the steps of a trajectory and leaves the chain as it was before it.")
      .def_property_readonly(
          "trajectory", [](const PyChain& c) { return c.chain().completed(); }, "The number of completed trajectories.")
      .def_property_readonly(
          "links", [](const PyChain& c) { return c.chain().links(); },
          "The links of the chain themselves, which step() changes; links.copy() keeps a state.")
      .def_property_readonly(
          "acceptance", [](const PyChain& c) { return c.chain().statistics().acceptance(); },
          "The fraction of accepted trajectories after thermalisation; NaN before the first.")
      .def_property_readonly(
          "exp_minus_dH", [](const PyChain& c) { return c.chain().statistics().mean_exp_minus_dH(); },
          "The mean of exp(-dH) after thermalisation, expected to be 1; NaN before the first.")
      .def_property_readonly(
          "trajectories", [](const PyChain& c) { return c.input().chain.trajectories; },
          "How many the input asks for in total; step() may go on beyond them.")
      .def_property_readonly(
          "input", [](const PyChain& c) { return app::write_toml(c.input().resolved); },
          "The input with every default explicit, as TOML.")
      .def(
          "save", [](const PyChain& c, const std::filesystem::path& file) { c.chain().save(file); }, py::arg("file"),
          Release(),
          "Writes the links as ILDG, with the bytes of the program's file for this trajectory. InputError for the "
          "extension of another format, which links.write() writes.");
}

}  // namespace trellis::python
