// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// The finite elements compared with dense matrices: from a naive assembly with a direct solve, and, for a regular mesh,
// from products of one-dimensional matrices.
#include <gtest/gtest.h>

#include <bit>
#include <vector>

#include "examples/minife/problem.hpp"
#include "examples/minife/system.hpp"

namespace examples::minife {
namespace {

using Dense = std::vector<std::vector<double>>;
using Numbers = std::vector<double>;

Numbers on_host(const Vector& v) {
  const auto host = trellis::create_mirror_view_and_copy(v);
  Numbers numbers;
  for (Index i = 0; i < host.extent(0); ++i) numbers.push_back(host(i));
  return numbers;
}

template <class Matrix>
Dense dense(const Matrix& matrix) {
  const Index n = matrix.rows();
  const View<double**> all("dense", n, n);
  trellis::parallel_for(
      "dense", n, TRELLIS_LAMBDA(Index i) {
        for (int k = 0; k < matrix.length(i); ++k) all(i, matrix.column(i, k)) += matrix.value(i, k);
      });
  const auto host = trellis::create_mirror_view_and_copy(all);
  Dense result(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) result[static_cast<std::size_t>(i)].push_back(host(i, j));
  }
  return result;
}

// Gaussian elimination with pivoting.
Numbers solve(Dense a, Numbers b) {
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k; i < n; ++i) pivot = std::abs(a[i][k]) > std::abs(a[pivot][k]) ? i : pivot;
    std::swap(a[k], a[pivot]);
    std::swap(b[k], b[pivot]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = a[i][k] / a[k][k];
      for (std::size_t j = k; j < n; ++j) a[i][j] -= factor * a[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) b[k] -= a[k][j] * b[j];
    b[k] /= a[k][k];
  }
  return b;
}

// The shape function of corner a at a point of the reference cube.
double shape(int a, const Numbers& xi) {
  double product = 1;
  for (int d = 0; d < 3; ++d) product *= (a >> d & 1 ? 1 + xi[std::size_t(d)] : 1 - xi[std::size_t(d)]) / 2;
  return product;
}

// Its derivative with respect to xi_d: differences are exact, because it is linear in each coordinate.
double slope(int a, Numbers xi, std::size_t d) {
  xi[d] = 1;
  const double high = shape(a, xi);
  xi[d] = -1;
  return (high - shape(a, xi)) / 2;
}

double determinant(const Dense& j) {
  return j[0][0] * (j[1][1] * j[2][2] - j[1][2] * j[2][1]) - j[0][1] * (j[1][0] * j[2][2] - j[1][2] * j[2][0]) +
         j[0][2] * (j[1][0] * j[2][1] - j[1][1] * j[2][0]);
}

struct DenseSystem {
  Dense a;
  Numbers b;
};

// Directly from the definitions: gradients solve J^T g = dN; rows and columns of the boundary are removed at the end.
template <class Heat>
DenseSystem naive_system(const Mesh& mesh, const std::vector<Numbers>& at, const Heat& heat) {
  const auto n = static_cast<std::size_t>(mesh.nodes());
  DenseSystem s{Dense(n, Numbers(n, 0.0)), Numbers(n, 0.0)};
  for (Index z = 0; z < mesh.nz; ++z)
    for (Index y = 0; y < mesh.ny; ++y)
      for (Index x = 0; x < mesh.nx; ++x)
        for (int q = 0; q < 8; ++q) {
          const double g = 1 / std::sqrt(3.0);
          const Numbers xi = {q & 1 ? g : -g, q & 2 ? g : -g, q & 4 ? g : -g};
          std::size_t node[8];
          Dense transposed(3, Numbers(3, 0.0));
          Numbers place(3, 0.0);
          for (int a = 0; a < 8; ++a) {
            node[a] = std::size_t((x + (a & 1)) + (mesh.nx + 1) * ((y + (a / 2 & 1)) + (mesh.ny + 1) * (z + a / 4)));
            for (std::size_t d = 0; d < 3; ++d) {
              place[d] += shape(a, xi) * at[node[a]][d];
              for (std::size_t e = 0; e < 3; ++e) transposed[e][d] += at[node[a]][d] * slope(a, xi, e);
            }
          }
          const double volume = determinant(transposed);
          Dense gradient;
          for (int a = 0; a < 8; ++a) {
            gradient.push_back(solve(transposed, {slope(a, xi, 0), slope(a, xi, 1), slope(a, xi, 2)}));
          }
          for (std::size_t a = 0; a < 8; ++a) {
            s.b[node[a]] += volume * shape(int(a), xi) * heat.source(place[0], place[1], place[2]);
            for (std::size_t b = 0; b < 8; ++b)
              for (std::size_t d = 0; d < 3; ++d) s.a[node[a]][node[b]] += volume * gradient[a][d] * gradient[b][d];
          }
        }
  return s;
}

// Removes the boundary.
template <class Heat>
void naive_boundary(const std::vector<Numbers>& at, const Heat& heat, DenseSystem& s) {
  for (std::size_t j = 0; j < at.size(); ++j) {
    bool outside = false;
    for (const double x : at[j]) outside = outside || x == 0 || x == 1;
    if (!outside) continue;
    const double g = heat.solution(at[j][0], at[j][1], at[j][2]);
    for (std::size_t i = 0; i < at.size(); ++i) {
      s.b[i] -= s.a[i][j] * g;
      s.a[i][j] = s.a[j][i] = 0;
    }
    s.a[j][j] = 1;
  }
  for (std::size_t j = 0; j < at.size(); ++j) {
    for (const double x : at[j]) {
      if (x == 0 || x == 1) s.b[j] = heat.solution(at[j][0], at[j][1], at[j][2]);
    }
  }
}

std::vector<Numbers> nodes_of(const Points& points) {
  const auto host = trellis::create_mirror_view_and_copy(points);
  std::vector<Numbers> at;
  for (Index i = 0; i < host.extent(0); ++i) at.push_back({host(i, 0), host(i, 1), host(i, 2)});
  return at;
}

template <class Matrix>
Vector solution(const System<Matrix>& system) {
  const Vector u("u", system.start.extent(0));
  trellis::deep_copy(u, system.start);
  conjugate_gradient(system.matrix, system.load, u, Workspace(u.extent(0)), 500, 1e-13);
  return u;
}

template <class Matrix>
class MiniFE : public testing::Test {};
using Matrices = testing::Types<EllMatrix<trellis::LayoutRight>, EllMatrix<trellis::LayoutLeft>,
                                EllMatrix<trellis::LayoutTiled<8>>, CsrMatrix>;
TYPED_TEST_SUITE(MiniFE, Matrices);

TYPED_TEST(MiniFE, IsTheNaiveSystemAndItsDirectSolution) {
  const Mesh mesh{5, 4, 3, 0.1};
  const ManufacturedHeat heat;
  const auto system = make_system<TypeParam>(mesh, heat);
  const auto at = nodes_of(system.points);
  auto expected = naive_system(mesh, at, heat);
  naive_boundary(at, heat, expected);
  const Dense matrix = dense(system.matrix);
  const Numbers load = on_host(system.load), u = on_host(solution(system)), direct = solve(expected.a, expected.b);
  for (std::size_t i = 0; i < u.size(); ++i) {
    for (std::size_t j = 0; j < u.size(); ++j) ASSERT_NEAR(matrix[i][j], expected.a[i][j], 1e-14) << i << " " << j;
    EXPECT_NEAR(load[i], expected.b[i], 1e-14) << i;
    EXPECT_NEAR(u[i], direct[i], 1e-11) << i;
  }
}

// For regular elements K = k x m x m + m x k x m + m x m x k, with the matrices of a one-dimensional element of length
// h, k = (1, -1; -1, 1) / h and m = h (2, 1; 1, 2) / 6.
TYPED_TEST(MiniFE, OfARegularMeshIsAProductOfLines) {
  const Mesh mesh{4, 3, 2};
  const Points points = make_points(mesh);
  const auto matrix = make_structure<TypeParam>(mesh);
  assemble(mesh, points, ManufacturedHeat{}, matrix, Vector("load", mesh.nodes()));
  const Dense found = dense(matrix);
  const auto line = [](Index elements, Index i, Index j, bool stiffness) {
    const double h = 1 / double(elements);
    if (std::abs(i - j) > 1) return 0.0;
    if (i != j) return stiffness ? -1 / h : h / 6;
    const double sides = i == 0 || i == elements ? 1 : 2;
    return sides * (stiffness ? 1 / h : h / 3);
  };
  for (Index i = 0; i < mesh.nodes(); ++i) {
    for (Index j = 0; j < mesh.nodes(); ++j) {
      const Place p = mesh.place_of_node(i), q = mesh.place_of_node(j);
      double expected = 0;
      for (int d = 0; d < 3; ++d) {
        expected += line(mesh.nx, p.x, q.x, d == 0) * line(mesh.ny, p.y, q.y, d == 1) * line(mesh.nz, p.z, q.z, d == 2);
      }
      ASSERT_NEAR(found[std::size_t(i)][std::size_t(j)], expected, 1e-14) << i << " " << j;
    }
  }
}

TYPED_TEST(MiniFE, SolvesLinearTemperaturesExactly) {
  const Mesh mesh{6, 5, 7, 0.15};
  const LinearHeat heat;
  const auto system = make_system<TypeParam>(mesh, heat);
  const Numbers u = on_host(solution(system));
  const auto at = nodes_of(system.points);
  for (std::size_t i = 0; i < u.size(); ++i) EXPECT_NEAR(u[i], heat.solution(at[i][0], at[i][1], at[i][2]), 1e-11);
  EXPECT_LT(solution_error(mesh, system.points, heat, solution(system)), 1e-11);
}

TYPED_TEST(MiniFE, HasTheSameBitsForAnyNumberOfThreads) {
  const Mesh mesh{12, 9, 10, 0.1};
  const int threads = trellis::concurrency();
  std::vector<Numbers> found;
  for (const int count : {1, 2, 3}) {
    trellis::set_thread_count(count);
    const auto system = make_system<TypeParam>(mesh, ManufacturedHeat{});
    const Vector product("product", mesh.nodes());
    multiply(system.matrix, system.load, product);
    Numbers all = on_host(product);
    for (const Vector& v : std::vector<Vector>{system.load, solution(system)}) {
      for (const double x : on_host(v)) all.push_back(x);
    }
    found.push_back(all);
  }
  trellis::set_thread_count(threads);
  for (const Numbers& other : found) {
    for (std::size_t i = 0; i < other.size(); ++i) {
      ASSERT_EQ(std::bit_cast<std::uint64_t>(other[i]), std::bit_cast<std::uint64_t>(found[0][i])) << i;
    }
  }
}

TEST(MiniFEMesh, RefusesFoldedElements) {
  EXPECT_THROW(make_system<EllMatrix<>>(Mesh{4, 4, 4, 0.6}, ManufacturedHeat{}), trellis::InputError);
}

TEST(MiniFESolver, ReportsTheResidualOfTheSolution) {
  const auto system = make_system<EllMatrix<>>(Mesh{8, 8, 8, 0.1}, ManufacturedHeat{});
  const Index n = system.start.extent(0);
  const Vector u("u", n), r("r", n);
  trellis::deep_copy(u, system.start);
  const auto c = conjugate_gradient(system.matrix, system.load, u, Workspace(n), 7, 0);
  EXPECT_EQ(c.iterations, 7);
  multiply(system.matrix, u, r);
  waxpby(1, system.load, -1, r, r);
  EXPECT_DOUBLE_EQ(c.actual, std::sqrt(dot(r, r)));
  EXPECT_NEAR(c.recursive, c.actual, 1e-13 * c.first);
  EXPECT_LT(c.actual, c.first);
}

}  // namespace
}  // namespace examples::minife
