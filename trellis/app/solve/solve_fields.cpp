// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/solve/solve_fields.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <optional>

#include "trellis/app/job/job.hpp"
#include "trellis/app/run/input_kernels.hpp"
#include "trellis/app/solve/link_records.hpp"
#include "trellis/core/base/joined.hpp"
#include "trellis/core/base/log.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/simd/with_lanes.hpp"
#include "trellis/core/spaces.hpp"
#include "trellis/dirac/staggered/phase_conventions.hpp"
#include "trellis/io/fields/field_io.hpp"
#include "trellis/io/formats/lime_text.hpp"

namespace trellis::app {
namespace {

using measure::FullVectors, measure::StaggeredMatrix;

constexpr int most_vectors = 32;  // of one field

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

template <int W>
class Solve {
 public:
  Solve(const SolveInput& input, const io::FieldReader& fat, const comm::ProcessGrid& grid,
        const KernelSettings& kernels)
      : input_(input),
        lattice_(fat.info().size, W, SiteOrder::even_odd, kernels.lattice_shape(), grid),
        operator_(read_links(fat, kernels.settings(KernelUse::quarks)), {.antiperiodic_time = has_own_boundary()},
                  input.mass) {}

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
      add(solved, b, x, report);
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
  bool has_own_boundary() const { return input_.convention == LinkConvention::trellis && input_.antiperiodic_time; }

  // The operator multiplies links by its own signs, which those of MILC's files must not have.
  GaugeField<double, W> read_matrices(const io::FieldReader& reader) const {
    GaugeField<double, W> u(lattice_);
    const auto number = reader.find(io::FieldType::colour_matrix, 4);
    io::read_matrices(
        reader, number, u,
        input_.convention == LinkConvention::milc ? io::MatrixFactor(dirac::staggered_sign) : io::MatrixFactor());
    return u;
  }

  dirac::StaggeredLinks<double, W> read_links(const io::FieldReader& fat, const dirac::HopSettings& settings) const {
    const dirac::StaggeredLinks<double, W> links(lattice_, quark_links_of(input_), settings);
    if (links.kind() == dirac::LinkKind::fat_and_long)
      links.pack(read_matrices(fat), read_matrices(reader_of_links(input_.long_links, fat)));
    else
      links.pack(read_matrices(fat));
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

  solver::SolverReport solve(const FullVectors<double, W>& b, const FullVectors<double, W>& x) const {
    const auto what = input_.point ? std::string("a point source") : input_.source.string();
    return input_.matrix == StaggeredMatrix::m
               ? measure::staggered_inverse(operator_, b, x, input_.inverse, what)
               : measure::staggered_normal_inverse(operator_, b, x, input_.inverse, what);
  }

  void add(Solved& solved, const FullVectors<double, W>& b, const FullVectors<double, W>& x,
           const solver::SolverReport& report) const {
    const auto residuals = measure::staggered_residuals(operator_, input_.matrix, b, x);
    const auto masses = input_.matrix == StaggeredMatrix::m ? measure::fitting_masses(operator_, b, x)
                                                            : std::vector<double>(residuals.size());
    for (std::size_t n = 0; n < residuals.size(); ++n)
      solved.vectors.push_back({residuals[n], report.iterations_of.empty() ? 0 : report.iterations_of[n], masses[n]});
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
