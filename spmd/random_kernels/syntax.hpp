// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A random kernel as a tree: generate_kernel (generator.hpp) grows it, interpret (interpreter.hpp) runs it one
// work-item after the other, write_kernel (emitter.hpp) says it in C++.

#include <cstdint>
#include <string>
#include <vector>

namespace trellis::random_kernels {

enum class Type : std::uint8_t { u8, u16, u32, u64, f32 };

// What is the same for all work-items of a group: as anybody can see, in fact (a compiler cannot know), only
// within a row (dimension 0), or not at all.
enum class Level : std::uint8_t { known, hidden, row, varying };

enum class Operation : std::uint8_t {
  add,
  subtract,
  multiply,
  lower,
  higher,
  less,
  equal,
  both,
  either,
  differ,
  left,
  right,
  quotient,
  remainder,
  select,    // a ? b : c
  and_then,  // a && b, where b is only looked at if it must be
  outside    // a function of another file
};

enum class Id : std::uint8_t { local, global, group, local_range, linear };

// index and value: by kind.
struct Expression {
  enum class Kind : std::uint8_t {
    constant,   // value
    variable,   // index: of the function's variables
    element,    // index: an array of it; arguments: which
    pointee,    // index: a pointer of it
    parameter,  // index: of the kernel's parameters
    id,         // index: Id, value: dimension
    input,      // arguments: which
    shared,     // index: an array of the group; arguments: which
    own,        // index: an array of the group, value: which of the work-item's own slots, permuted as scale, shift say
    output,     // index: which of the work-item's outputs; only written
    witness,    // the work-item's own number, which depends on every barrier; it begins as the global linear id
    convert,    // arguments: of another type
    operation   // index: Operation, arguments
  };
  Kind kind = Kind::constant;
  Type type = Type::u32;
  int index = 0;
  std::uint64_t value = 0;
  std::uint32_t scale = 1, shift = 0;
  std::vector<Expression> arguments;
};

struct Variable {
  Type type = Type::u32;
  int length = 0;  // of an array, a power of 2; 0: a scalar
  int slot = 0;    // where it begins in the function's private memory
  Level level = Level::varying;
  bool pointer = false, reference = false, counter = false, declared_in_struct = false;
  std::string name;
};

struct Statement {
  enum class Kind : std::uint8_t {
    declare,  // variables; expressions: what they begin with (none for arrays: zeros). Several are a struct
    assign,   // expressions: target, value
    point,    // variables: the pointer; expressions: condition, one target, another
    branch,   // expressions: condition; blocks: then, else
    choose,   // expressions: selector; blocks: cases, the last of which is the default; value: bits of those that fall
    loop,     // see below
    leave,    // break; in a switch's block never
    next,     // continue
    give_back,  // return; expressions: of what, in functions
    barrier,
    call,       // index: function; expressions: target, then arguments; variables: those that it refers to
    collective  // index: Collective; expressions: target, operand
  };
  // flavour 0: for (i = a; i < b; i += c)   1: while, with i += c first   2: do while, with i += c first
  // expressions: a, b, c and, with a second counter, its beginning and step; variables: the counters
  Kind kind = Kind::barrier;
  int index = 0;
  std::uint64_t value = 0;
  int number = 0;  // of the statement in the kernel
  std::vector<Expression> expressions;
  std::vector<int> variables;
  std::vector<std::vector<Statement>> blocks;
};

using Block = std::vector<Statement>;

enum class Collective : std::uint8_t {
  sum,
  minimum,
  maximum,
  inclusive_sum,
  exclusive_sum,
  broadcast,
  any,
  all,
  sub_group_sum,
  sub_group_maximum
};

struct Function {
  enum class Form : std::uint8_t { plain, member, lambda };
  Form form = Form::plain;
  bool barriers = false;
  std::vector<int> parameters, references;  // variables: taken by value, by reference (u32)
  std::vector<Variable> variables;
  int slots = 0;
  Block body;
};

// An array of the group, of `slots` numbers a work-item.
struct Shared {
  enum class Place : std::uint8_t { sized, fixed, global };
  Place place = Place::sized;
  int slots = 1;
};

struct Kernel {
  std::uint64_t seed = 0;
  int dimensions = 1;
  std::uint32_t local[3] = {1, 1, 1}, groups[3] = {1, 1, 1};
  std::uint32_t parameters[4] = {};
  bool for_fission = false;   // every condition on which a barrier depends is known to be uniform
  bool literal_size = false;  // the text says the group's size as a number
  std::vector<Shared> shared;
  std::vector<Function> functions;  // the last one is the kernel itself
  int statements = 0;

  std::uint32_t size() const { return local[0] * local[1] * local[2]; }
  std::uint32_t groups_in_all() const { return groups[0] * groups[1] * groups[2]; }
};

constexpr std::uint32_t inputs = 256;  // numbers in a kernel's input
constexpr int outputs = 4;             // numbers that a work-item gives away

inline bool is_float(Type type) { return type == Type::f32; }

}  // namespace trellis::random_kernels
