// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/solve/solve_fields.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "trellis/app/job/job.hpp"
#include "trellis/app/run/input_kernels.hpp"
#include "trellis/app/solve/link_records.hpp"
#include "trellis/core/base/joined.hpp"
#include "trellis/core/base/log.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/core/spaces.hpp"
#include "trellis/dirac/staggered/long_hops.hpp"
#include "trellis/dirac/staggered/phase_conventions.hpp"
#include "trellis/io/fields/field_io.hpp"
#include "trellis/io/formats/lime_text.hpp"

namespace trellis::app {
namespace {

using measure::FullVectors, measure::StaggeredMatrix;

constexpr int most_vectors = 32;  // of one field
constexpr int most_corrections = 10;

const char* name_of(StaggeredMatrix matrix) { return matrix == StaggeredMatrix::m ? "M" : "M^+ M"; }

void require_lattice(const io::FieldReader& reader, const io::FieldReader& links) {
  if (reader.info().size != links.info().size)
    fail_input("{}: the lattice is {}, but that of {} is {}", reader.path().string(), to_string(reader.info().size),
               links.path().string(), to_string(links.info().size));
}

void require_vectors(const io::FieldReader& reader) {
  for (const auto& field : reader.info().fields)
    if (field.type != io::FieldType::colour_vector || field.count > most_vectors)
      fail_input("{}: holds {}, expected at most {} colour vectors a site", reader.path().string(), describe(field),
                 most_vectors);
}

// The matrix of the file is this many times ours, m + D / 2.
double factor_of(const SolveInput& input) {
  if (input.convention == LinkConvention::trellis) return 1;
  return input.matrix == StaggeredMatrix::m ? 2 : 4;
}

dirac::LinkKind quark_links_of(const SolveInput& input) {
  return input.long_links.empty() ? dirac::LinkKind::fat : dirac::LinkKind::fat_and_long;
}

// Long links with all rows, which packed ones have not, and the hops of D that read them.
template <int W>
struct LongLinks {
  GaugeField<double, W> links;
  dirac::HopTable<double, W> one_step, all;

  LongLinks(const GaugeField<double, W>& u, const dirac::LinkPhases& phases)
      : links(u),
        one_step(u.lattice(), dirac::staggered_coefficient(phases, u.lattice().size())),
        all(u.lattice(), dirac::staggered_coefficient(phases, u.lattice().size()), naik_neighbours) {}
};

// Solutions and residuals are those of the links in the files, to double precision. The iterations use packed long
// links, whose third rows are made from the other two, hence 1e-7 away for files in single precision; what that leaves
// of b is solved for again.
template <int W>
class Solve {
 public:
  Solve(const SolveInput& input, const io::FieldReader& fat, const comm::ProcessGrid& grid,
        const KernelSettings& kernels)
      : input_(input),
        lattice_(fat.info().size, W, SiteOrder::even_odd, kernels.lattice_shape(), grid),
        operator_(read_links(fat, kernels.settings(KernelUse::quarks)), phases(), input.mass) {}

  // source: null for sources on a point.
  Solved run(const io::FieldReader* source) {
    Solved solved{lattice_.size(), {}, 0, {}};
    const auto fields = source != nullptr ? source->info().fields : point_fields();
    std::optional<io::FieldReader> check;
    if (!input_.check.empty()) check.emplace(reader_of_check(fields));
    std::vector<io::FieldToWrite> solutions;
    for (std::size_t n = 0; n < fields.size(); ++n) {
      const FullVectors<double, W> b(lattice_, fields[n].count), x = b.like();
      if (source != nullptr)
        io::read_vectors(*source, n, b.part);
      else
        set_point(int(n), b);
      const std::vector<double> ours(static_cast<std::size_t>(b.count()), factor_of(input_)),
          files(ours.size(), 1 / factor_of(input_));
      solver::SolverReport report;
      if (check) {
        io::read_vectors(*check, n, x.part);
        multiply(x, ours);
      } else {
        report = solve(b, x);
        solved.seconds += report.seconds;
      }
      add(solved, b, x, report, check && check->info().fields[n].precision == Precision::single ? size_of_matrix() : 0);
      multiply(x, files);
      if (!input_.solution.empty()) solutions.push_back(io::vectors_to_write(x.part, text_of(fields[n])));
    }
    if (!solutions.empty()) {
      io::FieldFileParameters parameters;
      parameters.precision = input_.precision;
      parameters.text =
          fmt::format("{}<trellis><info>{}</info></trellis>", io::xml_head, io::escaped(input_.provenance));
      io::write_fields(input_.solution, parameters, solutions);
    }
    return solved;
  }

 private:
  dirac::LinkPhases phases() const {
    return {.antiperiodic_time = input_.convention == LinkConvention::trellis && input_.antiperiodic_time};
  }

  // The operator multiplies links by its own signs, which those of MILC's files must not have.
  GaugeField<double, W> read_matrices(const io::FieldReader& reader) const {
    GaugeField<double, W> u(lattice_);
    const auto number = reader.find(io::FieldType::colour_matrix, 4);
    io::read_matrices(
        reader, number, u,
        input_.convention == LinkConvention::milc ? io::MatrixFactor(dirac::staggered_sign) : io::MatrixFactor());
    return u;
  }

  dirac::StaggeredLinks<double, W> read_links(const io::FieldReader& fat, const dirac::HopSettings& settings) {
    const dirac::StaggeredLinks<double, W> links(lattice_, quark_links_of(input_), settings);
    if (links.kind() == dirac::LinkKind::fat_and_long) {
      long_.emplace(read_matrices(reader_of_links(input_.long_links, fat)), phases());
      links.pack(read_matrices(fat), long_->links);
    } else {
      links.pack(read_matrices(fat));
    }
    return links;
  }

  io::FieldReader reader_of_links(const std::filesystem::path& file, const io::FieldReader& fat) const {
    io::FieldReader reader(file, job());
    require_lattice(reader, fat);
    return reader;
  }

  // A file of solutions has as many vectors as the source.
  io::FieldReader reader_of_check(const std::vector<io::FieldInfo>& source) const {
    io::FieldReader reader(input_.check, job());
    if (reader.info().size != lattice_.size())
      fail_input("{}: the lattice is {}, but that of the links is {}", input_.check.string(),
                 to_string(reader.info().size), to_string(lattice_.size()));
    require_vectors(reader);
    const auto counts = [](const std::vector<io::FieldInfo>& fields) {
      std::vector<int> all;
      for (const auto& field : fields) all.push_back(field.count);
      return all;
    };
    if (counts(reader.info().fields) != counts(source))
      fail_input("{}: its fields have {} vectors a site, those of the source {}", input_.check.string(),
                 joined(counts(reader.info().fields), " + "), joined(counts(source), " + "));
    return reader;
  }

  std::vector<io::FieldInfo> point_fields() const {
    std::vector<io::FieldInfo> fields(3);
    for (std::size_t colour = 0; colour < 3; ++colour)
      fields[colour].text = fmt::format("colour {} on site {}", colour, joined(*input_.point, ", "));
    return fields;
  }

  void set_point(int colour, const FullVectors<double, W>& b) const {
    std::array<double, 6> one{};
    one[static_cast<std::size_t>(2 * colour)] = 1;
    if (lattice_.owns(*input_.point)) b.set(*input_.point, one);
  }

  measure::StaggeredHops<W> hops() const {
    return [this](const ColourVectorField<double, W>& in, const ColourVectorField<double, W>& out) {
      if (!long_) return operator_.hop(in, out);
      dirac::apply_hops(operator_.links(), long_->one_step, in, out);
      dirac::add_long_hops(long_->links, long_->all, in, out);
    };
  }

  std::vector<double> residuals(const FullVectors<double, W>& b, const FullVectors<double, W>& x) const {
    return measure::staggered_residuals(hops(), input_.mass, input_.matrix, b, x);
  }

  solver::SolverReport solve_packed(const FullVectors<double, W>& b, const FullVectors<double, W>& x,
                                    const measure::InverseParameters& parameters) const {
    return input_.matrix == StaggeredMatrix::m
               ? measure::staggered_inverse(operator_, b, x, parameters, source_name())
               : measure::staggered_normal_inverse(operator_, b, x, parameters, source_name());
  }
  std::string source_name() const { return input_.point ? "a point source" : input_.source.string(); }

  solver::SolverReport solve(const FullVectors<double, W>& b, const FullVectors<double, W>& x) const {
    auto report = solve_packed(b, x, input_.inverse);
    for (int n = 0;; ++n) {
      report.residuals = residuals(b, x);
      report.conclude();
      if (report.converged || n == most_corrections) break;
      const auto r = b.like(), correction = b.like();
      for (const int parity : {0, 1})
        measure::staggered_residual2(hops(), input_.mass, input_.matrix, b, x, parity, r.part[std::size_t(parity)]);
      auto parameters = input_.inverse;
      parameters.residual /= 2 * *std::ranges::max_element(report.residuals);
      const auto more = solve_packed(r, correction, parameters);
      const std::vector<double> one(report.residuals.size(), 1);
      for (const std::size_t parity : {0, 1}) solver::add_scaled(one, correction.part[parity], x.part[parity]);
      for (std::size_t k = 0; k < one.size(); ++k) report.iterations_of[k] += more.iterations_of[k];
      report.seconds += more.seconds;
    }
    solver::require_converged(report, source_name());
    return report;
  }

  void add(Solved& solved, const FullVectors<double, W>& b, const FullVectors<double, W>& x,
           const solver::SolverReport& report, double size) const {
    const auto of_b = residuals(b, x);
    const auto masses =
        input_.matrix == StaggeredMatrix::m ? measure::fitting_masses(hops(), b, x) : std::vector<double>(of_b.size());
    const auto xx = norms2(x), bb = norms2(b);
    for (std::size_t n = 0; n < of_b.size(); ++n)
      solved.vectors.push_back({of_b[n], report.iterations_of.empty() ? 0 : report.iterations_of[n], masses[n],
                                bb[n] > 0 ? 0x1p-24 * size * std::sqrt(xx[n] / bb[n]) : 0});
  }

  // |A e| / |e| of random numbers e, as rounding errors are.
  double size_of_matrix() const {
    const FullVectors<double, W> e(lattice_), zero = e.like();
    measure::draw_noise({1, 1, measure::noise_purpose}, 0, e);
    double sum = 0;
    for (const int parity : {0, 1})
      sum += measure::staggered_residual2(hops(), input_.mass, input_.matrix, zero, e, parity,
                                          zero.part[std::size_t(parity)].like("A e"))[0];
    return std::sqrt(sum / norms2(e)[0]);
  }

  static void multiply(const FullVectors<double, W>& x, std::span<const double> by) {
    const std::vector<double> none(by.size());
    for (const auto& part : x.part) solver::scale_and_add(by, none, part, part);
  }

  std::string text_of(const io::FieldInfo& source) const {
    return fmt::format(
        "{}<trellis><solution>x of {} x = b</solution><convention>{}</convention><mass>{}</mass><residual>{}</residual>"
        "<source>{}</source></trellis>",
        io::xml_head, name_of(input_.matrix),
        input_.convention == LinkConvention::milc ? "M = 2 m + D, signs in the links" : "M = m + D / 2", input_.mass,
        input_.inverse.residual, io::escaped(source.text));
  }

  const SolveInput& input_;
  Lattice lattice_;
  std::optional<LongLinks<W>> long_;
  dirac::StaggeredOperator<double, W> operator_;
};

void warn_of_contradictions(const SolveInput& input, const io::FieldReader& fat) {
  std::optional<io::FieldReader> long_links;
  if (!input.long_links.empty()) long_links.emplace(input.long_links, job());
  for (const auto& contradiction : contradictions(input, fat, long_links ? &*long_links : nullptr))
    log_warning("{}", contradiction);
}

}  // namespace

Solved solve_fields(const SolveInput& input) {
  if (!(input.mass > 0)) fail_input("--mass: found {}, expected a number above 0", input.mass);
  const io::FieldReader fat(input.fat, job());
  const auto& size = fat.info().size;
  std::optional<io::FieldReader> source;
  if (!input.point) {
    source.emplace(input.source, job());
    require_lattice(*source, fat);
    require_vectors(*source);
  }
  for (std::size_t mu = 0; mu < 4; ++mu) {
    if (size[mu] % 2 != 0)
      fail_input("{}: the lattice is {}; every extent must be even", input.fat.string(), to_string(size));
    if (input.point && ((*input.point)[mu] < 0 || (*input.point)[mu] >= size[mu]))
      fail_input("--point: {} is not on the {} lattice", joined(*input.point, ","), to_string(size));
  }
  warn_of_contradictions(input, fat);
  const int longest_hop = input.long_links.empty() ? 1 : 3;
  const auto grid = job_grid(size, input.machine, longest_hop);
  const int lanes = lanes_for(grid, size, input.machine), vectors = source ? source->info().fields.front().count : 1;
  const KernelSettings kernels(kernels_of_solve(quark_links_of(input), vectors, size, grid, lanes, concurrency()),
                               input.machine, grid.ranks(), longest_hop);
  Solved solved =
      with_lanes(lanes, [&]<int W>() { return Solve<W>(input, fat, grid, kernels).run(source ? &*source : nullptr); });
  solved.kernels = kernels.lines();
  return solved;
}

}  // namespace trellis::app
