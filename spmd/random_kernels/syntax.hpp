// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// A random kernel as a tree: generate_kernel (generator.hpp) grows it, interpret (interpreter.hpp) runs it one
// work-item after the other, write_kernel (emitter.hpp) writes it as C++.

#include <cstdint>
#include <string>
#include <vector>

namespace trellis::random_kernels {

enum class Type : std::uint8_t { u8, u16, u32, u64, f32 };

// How far a value is the same for all work-items of a group: visibly, in fact (but a compiler cannot know), only within
// a row (dimension 0), or not at all.
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
  and_then,  // a && b, where b is evaluated only if needed
  outside    // a function in another file
};

enum class Id : std::uint8_t { local, global, group, local_range, linear };

// Meaning of index and value, by kind.
struct Expression {
  enum class Kind : std::uint8_t {
    constant,   // value
    variable,   // index: among the function's variables
    element,    // index: one of its arrays; arguments: which element
    pointee,    // index: one of its pointers
    parameter,  // index: among the kernel's parameters
    id,         // index: Id, value: dimension
    input,      // arguments: which
    shared,     // index: an array of the group; arguments: which element
    own,        // index: an array of the group, value: which of the work-item's own slots, permuted by scale, shift
    output,     // index: which of the work-item's outputs; write-only
    witness,    // the work-item's own number, which depends on every barrier; it starts as the global linear id
    convert,    // arguments: a value of another type
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
  int length = 0;  // of an array, a power of 2; 0 for a scalar
  int slot = 0;    // its start in the function's private memory
  Level level = Level::varying;
  bool pointer = false, reference = false, counter = false, declared_in_struct = false;
  std::string name;
};

struct Statement {
  enum class Kind : std::uint8_t {
    declare,  // variables; expressions: initial values (none for arrays: zeros). Several form a struct
    assign,   // expressions: target, value
    point,    // variables: the pointer; expressions: condition, one target, another
    branch,   // expressions: condition; blocks: then, else
    choose,   // expressions: selector; blocks: cases, the last of which is the default; value: bits of those that fall
              // through
    loop,     // see below
    leave,    // break; never in a switch's block
    next,     // continue
    give_back,  // return; expressions: the value, in functions
    barrier,
    call,       // index: function; expressions: target, then arguments; variables: passed by reference
    collective  // index: Collective; expressions: target, operand
  };
  // flavour 0: for (i = a; i < b; i += c)   1: while, with i += c first   2: do while, with i += c first
  // expressions: a, b, c and, with a second counter, its beginning and step; variables: the counters
  Kind kind = Kind::barrier;
  int index = 0;
  std::uint64_t value = 0;
  int number = 0;  // the statement's number in the kernel
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

// An array of the group, with `slots` numbers per work-item.
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
  bool literal_size = false;  // the text contains the group's size as a number
  std::vector<Shared> shared;
  std::vector<Function> functions;  // the last one is the kernel itself
  int statements = 0;

  std::uint32_t size() const { return local[0] * local[1] * local[2]; }
  std::uint32_t groups_in_all() const { return groups[0] * groups[1] * groups[2]; }
};

constexpr std::uint32_t inputs = 256;  // numbers in a kernel's input
constexpr int outputs = 4;             // numbers that a work-item outputs

inline bool is_float(Type type) { return type == Type::f32; }

}  // namespace trellis::random_kernels
