// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "examples/minife/measure.hpp"

#include "examples/minife/by_hand.hpp"
#include "examples/minife/problem.hpp"
#include "examples/minife/system.hpp"

namespace examples::minife {
namespace {

by_hand::Ell pointers(const EllMatrix<>& a) { return {a.rows(), a.columns.data(), a.values.data()}; }
by_hand::Csr pointers(const CsrMatrix& a) { return {a.rows(), a.start.data(), a.columns.data(), a.values.data()}; }

// |x - y| / |y|
double distance(const Vector& x, const Vector& y) {
  const Vector difference("difference", x.extent(0));
  waxpby(1, x, -1, y, difference);
  return std::sqrt(dot(difference, difference) / dot(y, y));
}

// The timed solves of the two versions agree up to rounding.
void require_same(const char* what, const Vector& trellis, const Vector& by_hand, double tolerance) {
  const double found = distance(trellis, by_hand);
  if (!(found <= tolerance)) {
    trellis::fail("{}: Trellis and the hand-written version differ by {:.3g} (relative); allowed is {:.3g}", what,
                  found, tolerance);
  }
}

// The bandwidth of reading the matrix values once, with which everything else is compared.
Row measure_reading(const EllMatrix<>& matrix, int repetitions) {
  const ConstVector all(matrix.values.data(), matrix.values.span());
  double ours = 0, theirs = 0;
  const auto read = [&] {
    trellis::parallel_reduce(
        "minife::read", all.extent(0), TRELLIS_LAMBDA(Index i, double& sum) { sum += all(i); }, ours);
  };
  const auto comparison = compare(repetitions, read, [&] { theirs = by_hand::sum(all.extent(0), all.data()); });
  if (!(std::abs(ours - theirs) <= 1e-9 * double(matrix.rows()))) trellis::fail("sums: {} and {}", ours, theirs);
  return rate_row("read", "GB/s", 8e-9 * double(all.extent(0)), comparison);
}

template <class Matrix>
Row measure_multiply(const std::string& name, const Matrix& matrix, const Vector& x, int repetitions) {
  const Vector y("y", x.extent(0)), hand("y by hand", x.extent(0));
  const auto comparison = compare(
      repetitions, [&] { multiply(matrix, x, y); },
      [&] { by_hand::multiply(pointers(matrix), x.data(), hand.data()); });
  require_same(name.c_str(), y, hand, 1e-14);
  return rate_row(name, "GB/s", 1e-9 * matrix.bytes(), comparison);
}

void measure_other_layouts(const EllMatrix<>& matrix, const Vector& x, int repetitions, std::vector<Row>& rows) {
  const auto measure_one = [&]<class Layout>(Layout, const std::string& name) {
    if constexpr (!std::is_same_v<Layout, DefaultLayout>) {
      const auto other = with_layout<Layout>(matrix);
      const Vector y("y", x.extent(0));
      const auto comparison = compare(repetitions, [&] { multiply(other, x, y); }, [] {});
      rows.push_back({.name = name,
                      .unit = "GB/s",
                      .trellis = 1e-9 * matrix.bytes() / comparison.trellis,
                      .seconds = comparison.trellis});
    }
  };
  measure_one(trellis::LayoutRight{}, "A x, LayoutRight");
  measure_one(trellis::LayoutLeft{}, "A x, LayoutLeft");
  measure_one(trellis::LayoutTiled<8>{}, "A x, LayoutTiled<8>");
}

void measure_vectors(Index rows, int repetitions, std::vector<Row>& result) {
  const Vector x("x", rows), y("y", rows);
  trellis::deep_copy(x, 0.5);
  double sum = 0;
  const auto dots =
      compare(repetitions, [&] { sum += dot(x, y); }, [&] { sum += by_hand::dot(rows, x.data(), y.data()); });
  const auto updates = compare(
      repetitions, [&] { waxpby(1, y, 0.5, x, y); },
      [&] { by_hand::waxpby(rows, 1, y.data(), 0.5, x.data(), y.data()); });
  result.push_back(rate_row("x . y", "GB/s", 16e-9 * double(rows), dots));
  result.push_back(rate_row("y = a x + b y", "GB/s", 24e-9 * double(rows), updates));
}

template <class Matrix>
Row measure_solver(const std::string& name, const System<Matrix>& system, const Settings& settings) {
  const Index n = system.matrix.rows();
  const Workspace work(n);
  const Vector x("x", n), hand("x by hand", n);
  Convergence convergence;
  const auto ours = [&] {
    waxpby(1, system.start, 0, system.start, x);
    convergence = conjugate_gradient(system.matrix, system.load, x, work, settings.iterations, 0);
  };
  const auto theirs = [&] {
    by_hand::waxpby(n, 1, system.start.data(), 0, system.start.data(), hand.data());
    by_hand::conjugate_gradient(pointers(system.matrix), system.load.data(), hand.data(), work.r.data(), work.p.data(),
                                work.ap.data(), settings.iterations);
  };
  const auto comparison = compare(settings.repetitions, ours, theirs);
  require_same(name.c_str(), x, hand, 1e-8);
  fmt::print("{}: after {} iterations |r| / |r0| is {:.3e} by recursion, |b - A x| / |r0| {:.3e}\n", name,
             convergence.iterations, convergence.recursive / convergence.first, convergence.actual / convergence.first);
  return rate_row(name, "GB/s", 1e-9 * conjugate_gradient_bytes(system.matrix, convergence.iterations), comparison);
}

// Solves to the tolerance, and returns the error against the analytic solution.
double solve(const Mesh& mesh, const System<EllMatrix<>>& system, double tolerance) {
  const Workspace work(mesh.nodes());
  const Vector u("u", mesh.nodes());
  trellis::deep_copy(u, system.start);
  const int most = static_cast<int>(40 * std::max({mesh.nx, mesh.ny, mesh.nz}));
  const auto c = conjugate_gradient(system.matrix, system.load, u, work, most, tolerance);
  const double error = solution_error(mesh, system.points, ManufacturedHeat{}, u);
  fmt::print("{:>4} x {} x {} elements: error {:.6e} after {} iterations, |r| / |r0| {:.2e}, truly {:.2e}\n", mesh.nx,
             mesh.ny, mesh.nz, error, c.iterations, c.recursive / c.first, c.actual / c.first);
  // Rounding separates the two by about epsilon per step, relative to the largest residual.
  if (!(c.recursive <= tolerance * c.first)) trellis::fail("{} iterations are not enough to solve the system", most);
  if (!(std::abs(c.actual - c.recursive) <= 1e-12 * c.first)) {
    trellis::fail("the residual of the solution is {:.6e}, that of the recursion {:.6e}", c.actual, c.recursive);
  }
  return error;
}

void require_second_order(double coarse, double fine) {
  const double order = std::log2(coarse / fine);
  fmt::print("halving h divides the error by {:.3f}: order {:.3f}\n", coarse / fine, order);
  if (!(order > 1.8 && order < 2.3)) {
    trellis::fail("the error falls as h^{:.3f}; trilinear elements have order 2", order);
  }
}

void print_floor(const Row& row, double bytes, double bandwidth, double rows) {
  const double floor = 1e-9 * bytes / bandwidth;
  fmt::print("{:<24} {:6.1f} bytes per row: {:.6f} s at {:.2f} GB/s, {:.0f} % of Trellis' time\n", row.name,
             bytes / rows, floor, bandwidth, 100 * floor / *row.seconds);
}

Mesh mesh_of(const Settings& s, int divisor) {
  const long ny = s.ny > 0 ? s.ny : s.nx, nz = s.nz > 0 ? s.nz : s.nx;
  for (const long n : {s.nx, ny, nz}) {
    if (n % 4 != 0) trellis::fail_input("{} elements in a direction; it must be a multiple of 4", n);
  }
  return {s.nx / divisor, ny / divisor, nz / divisor, s.distortion};
}

}  // namespace

Result measure(const Settings& settings) {
  const ManufacturedHeat heat;
  const Mesh mesh = mesh_of(settings, 1);
  const auto system = make_system<EllMatrix<>>(mesh, heat);  // first, because it refuses a folded mesh
  double error[2];
  for (const int coarse : {0, 1}) {
    const Mesh level = mesh_of(settings, 4 >> coarse);
    error[coarse] = solve(level, make_system<EllMatrix<>>(level, heat), settings.tolerance);
  }
  const double finest = solve(mesh, system, settings.tolerance);
  require_second_order(error[0], error[1]);
  require_second_order(error[1], finest);

  const int repetitions = settings.repetitions;
  const double rows = double(mesh.nodes());
  Result result{.program = "minife"};
  result.setup =
      fmt::format("{} x {} x {} elements, {} rows, {} steps, {} of {}", mesh.nx, mesh.ny, mesh.nz, mesh.nodes(),
                  settings.iterations, counted(trellis::concurrency(), "thread"), trellis::DefaultExecutionSpace::name);
  fmt::print("structure {:.3f} s, assembly {:.3f} s\n", system.structure_seconds, system.assembly_seconds);
  const Row read = measure_reading(system.matrix, 5 * repetitions);
  result.rows.push_back(read);
  measure_vectors(mesh.nodes(), 20 * repetitions, result.rows);
  result.rows.push_back(measure_multiply("A x", system.matrix, system.load, 5 * repetitions));
  const Row product = result.rows.back();
  result.rows.push_back(measure_solver("CG", system, settings));
  const Row solver = result.rows.back();
  if (settings.layouts) measure_other_layouts(system.matrix, system.load, 5 * repetitions, result.rows);
  {
    const auto csr = make_system<CsrMatrix>(mesh, heat);
    fmt::print("CSR: structure {:.3f} s, assembly {:.3f} s\n", csr.structure_seconds, csr.assembly_seconds);
    result.rows.push_back(measure_multiply("A x, CSR", csr.matrix, csr.load, 5 * repetitions));
    result.rows.push_back(measure_solver("CG, CSR", csr, settings));
  }
  const double bandwidth = std::max(read.trellis, *read.by_hand);
  print_floor(product, system.matrix.bytes(), bandwidth, rows);
  print_floor(solver, conjugate_gradient_bytes(system.matrix, settings.iterations), bandwidth, rows);
  return result;
}

}  // namespace examples::minife
