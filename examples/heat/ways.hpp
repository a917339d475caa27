// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The step of heat.hpp in the other ways in which a loop over points can be written: teams, whose lanes go along a
// line, and flat ranges, of lines or of points. On one core of a CPU all but the last should be equally fast; that one
// finds its line by a division, and its compiler does not know that points follow one another.

#include "examples/heat/heat.hpp"
#include "trellis/core/team_policy.hpp"

namespace examples::heat {

namespace detail {
TRELLIS_INLINE void update(const Grid& u, const Grid& next, double r, Index i, Index j) {
  next(i, j) = u(i, j) + r * (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1) - 4 * u(i, j));
}
}  // namespace detail

inline void step_in_teams(const Grid& u, const Grid& next, double r) {
  const Index lines = u.extent(0) - 2, points = u.extent(1) - 2;
  parallel_for(
      "heat step in teams", TeamPolicy<>(lines), TRELLIS_LAMBDA(const TeamPolicy<>::Member& team) {
        const Index i = team.league_rank() + 1;
        parallel_for(TeamVectorRange(team, points), [&](Index j) { detail::update(u, next, r, i, j + 1); });
      });
}

inline void step_by_lines(const Grid& u, const Grid& next, double r) {
  const Index lines = u.extent(0) - 2, points = u.extent(1) - 2;
  parallel_for(
      "heat step by lines", lines, TRELLIS_LAMBDA(Index line) {
        for (Index j = 1; j <= points; ++j) detail::update(u, next, r, line + 1, j);
      });
}

inline void step_by_points(const Grid& u, const Grid& next, double r) {
  const Index lines = u.extent(0) - 2, points = u.extent(1) - 2;
  parallel_for(
      "heat step by points", lines * points,
      TRELLIS_LAMBDA(Index n) { detail::update(u, next, r, n / points + 1, n % points + 1); });
}

}  // namespace examples::heat
