// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Threads that work together, in two forms:
// - teams: a league of teams, each with threads, lanes and scratch memory, for nested loops;
// - work-groups: work-items that wait for one another at barriers and share memory, as in OpenCL and SYCL.
// Both compute a matrix-vector product here; work-groups also reverse blocks of a vector.
#include "examples/tour/tour.hpp"
#include "trellis/core/local_memory.hpp"
#include "trellis/core/mirror.hpp"
#include "trellis/core/nd_item.hpp"
#include "trellis/core/nd_range.hpp"
#include "trellis/core/operations.hpp"
#include "trellis/core/parallel.hpp"
#include "trellis/core/team_policy.hpp"
#include "trellis/core/view.hpp"

using namespace trellis;

namespace {

constexpr Index rows = 37, columns = 128;
constexpr Index group = 64;

void fill(const View<double**>& a, const View<double*>& x) {
  parallel_for("fill x", columns, TRELLIS_LAMBDA(Index j) { x(j) = double(j + 1); });
  const MDRangePolicy<DefaultExecutionSpace, Rank<2>> all({0, 0}, {rows, columns});
  parallel_for("fill a", all, TRELLIS_LAMBDA(Index i, Index j) { a(i, j) = 1.0 / double(i + j + 1); });
}

// One team per row. Its threads and lanes divide the columns among themselves; all of them get the sum, and one of them
// writes it.
void by_teams(const View<const double**>& a, const View<const double*>& x, const View<double*>& y) {
  const auto policy = TeamPolicy<>(rows, AUTO, 32).set_scratch_size(scratch_bytes<double*>(columns));
  parallel_for(
      "matrix times vector, teams", policy, TRELLIS_LAMBDA(const TeamPolicy<>::Member& team) {
        const Index i = team.league_rank();
        const auto products = team.template scratch<double*>(columns);  // belongs to this team; gone when the team ends
        parallel_for(TeamVectorRange(team, columns), [&](Index j) { products(j) = a(i, j) * x(j); });
        team.team_barrier();  // parallel_for does not wait for the other threads
        double sum;
        parallel_reduce(TeamVectorRange(team, columns), [&](Index j, double& partial) { partial += products(j); }, sum);
        single(PerTeam(team), [&] { y(i) = sum; });
      });
}

// One work-group per row. Each work-item handles two columns, and the group adds up their contributions.
void by_groups(const View<const double**>& a, const View<const double*>& x, const View<double*>& y) {
  parallel_for(
      "matrix times vector, groups", nd_range<1>{rows * group, group}, TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
        const Index i = item.group_id(0), j = item.local_id(0);
        const double own = a(i, j) * x(j) + a(i, j + group) * x(j + group);
        const double sum = item.reduce(own, Plus{});
        if (j == 0) y(i) = sum;
      });
}

// After the barrier, work-items can read what others wrote to local memory.
void reverse_blocks(const View<const double*>& x, const View<double*>& y) {
  LocalMemory memory;
  const auto block = memory.array<double>(group);
  const auto range = nd_range<1>{columns, group}.with(memory);
  parallel_for(
      "reverse blocks", range, TRELLIS_LAMBDA(const nd_item<1>& item) noexcept {
        double* const shared = item.local(block);
        shared[item.local_id(0)] = x(item.global_id(0));
        item.barrier();
        y(item.global_id(0)) = shared[group - 1 - item.local_id(0)];
      });
}

}  // namespace

int main() {
  return tour::run([] {
    const View<double**> a("a", rows, columns);
    const View<double*> x("x", columns), y("y", rows), z("z", rows), reversed("reversed", columns);
    fill(a, x);
    by_teams(a, x, y);
    by_groups(a, x, z);
    const auto host_y = create_mirror_view_and_copy(HostSpace{}, y),
               host_z = create_mirror_view_and_copy(HostSpace{}, z);
    for (Index i = 0; i < rows; ++i) {
      double expected = 0;
      for (Index j = 0; j < columns; ++j) expected += double(j + 1) / double(i + j + 1);
      tour::expect_near(host_y(i), expected, 1e-11, "teams: a row times the vector");
      tour::expect_near(host_z(i), expected, 1e-11, "groups: a row times the vector");
    }
    reverse_blocks(x, reversed);
    const auto host = create_mirror_view_and_copy(HostSpace{}, reversed);
    tour::expect(host(0) == group && host(group) == 2 * group, "each block starts with what was its last number");
    fmt::print("first row: {:.6f} by teams, {:.6f} by work-groups\n", host_y(0), host_z(0));
  });
}
