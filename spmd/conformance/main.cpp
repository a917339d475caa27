// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Runs the suite's cases as tests <way>.<case>, in groups of several sizes.
#include <gtest/gtest.h>

#include <string>

#include "spmd/conformance/suite.hpp"

namespace trellis::conformance {

std::vector<Case>& cases() {
  static std::vector<Case> all;
  return all;
}

namespace {

constexpr u32 untouched = 0xdeadbeefU;

std::vector<u32> make_input() {
  std::vector<u32> in(static_cast<std::size_t>(inputs));
  std::uint64_t state = 88172645463325252U;
  for (auto& x : in) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    x = static_cast<u32>(state >> 20);
  }
  return in;
}

class Test : public testing::Test {
 public:
  explicit Test(const Case& c) : case_(c) {}
  void TestBody() override {
    static const std::vector<u32> in = make_input();
    for (const Index size : {1, 2, 3, 7, 31, 32, 33, 64, 100, 255, 1024}) {
      if (size > case_.largest || (std::string(case_.way) == "threads" && size > 33)) continue;
      for (const Index groups : {Index{1}, size > 100 ? Index{2} : Index{5}}) {
        std::vector<u32> got(static_cast<std::size_t>(4 * groups * size), untouched), expected = got;
        case_.expect({groups, size, in.data(), expected.data()});
        case_.run({groups, size, in.data(), got.data()});
        for (std::size_t i = 0; i < got.size(); ++i) {
          ASSERT_EQ(got[i], expected[i]) << "out[" << i << "], " << groups << " groups of " << size;
        }
      }
    }
  }

 private:
  Case case_;
};

}  // namespace
}  // namespace trellis::conformance

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  using namespace trellis::conformance;
  for (const auto& c : cases()) {
    testing::RegisterTest(c.way, c.name, nullptr, nullptr, __FILE__, __LINE__,
                          [c]() -> testing::Test* { return new Test(c); });
  }
  return RUN_ALL_TESTS();
}
