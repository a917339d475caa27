// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// trellis._core: what the package `trellis` gets from the libraries. python/trellis/__init__.py makes the package of
// it.
#include "python/src/bindings.hpp"
#include "trellis/app/version.hpp"
#include "trellis/core/backend/instruction_set.hpp"
#include "trellis/core/base/log.hpp"
#include "trellis/core/device/devices.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/spaces.hpp"

namespace trellis::python {
namespace {

// trellis.Error, and trellis.InputError, which is also a ValueError: bad arguments, files and keys.
void bind_errors(py::module_& m) {
  static py::handle error, input_error;
  error = PyErr_NewExceptionWithDoc("trellis.Error", "The work failed: a file, a solver that did not converge.",
                                    PyExc_RuntimeError, nullptr);
  const auto bases = py::make_tuple(error, py::handle(PyExc_ValueError));
  input_error = PyErr_NewExceptionWithDoc("trellis.InputError", "An argument, a file or a key of an input is wrong.",
                                          bases.ptr(), nullptr);
  m.attr("Error") = error;
  m.attr("InputError") = input_error;
  // NOLINTNEXTLINE(performance-unnecessary-value-param): a pointer to such a function is what pybind11 takes
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const InputError& e) {
      PyErr_SetString(input_error.ptr(), e.what());
    } catch (const Error& e) {
      PyErr_SetString(error.ptr(), e.what());
    }
  });
}

}  // namespace
}  // namespace trellis::python

PYBIND11_MODULE(_core, m) {
  using namespace trellis;
  m.doc() = "Lattice QCD on numpy arrays: the compiled part of the package trellis.";
  python::bind_errors(m);
  try {
    start_logging();  // warnings go to stderr, as those of the program
    backend::require_instruction_set();
  } catch (const Error& e) {
    throw pybind11::import_error(e.what());
  }
  m.attr("__version__") = app::version_number();
  m.def("version_line", &app::version_line, "Version, commit, backend, compiler and instruction set, on one line.");
  m.def("threads", &concurrency, "The number of threads that kernels use.");
  m.def(
      "set_threads",
      [](int count) {
        constexpr int most = 4096;  // as [machine] threads
        if (count < 1 || count > most) fail_input("set_threads: found {}, expected 1 to {}", count, most);
        set_thread_count(count);
      },
      pybind11::arg("count"), "Sets the number of threads. It has no effect on any bit of the results.");
  m.attr("backend_on_host") = fields_on_host;
  python::bind_boundary(m);
  python::bind_lattice(m);
  python::bind_quarks(m);
  python::bind_staggered_measurements(m);
  python::bind_chain(m);
  python::bind_analysis(m);
}
