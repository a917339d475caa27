// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "spmd/random_kernels/expressions.hpp"

#include <cstring>
#include <utility>

namespace trellis::random_kernels {

using Kind = Expression::Kind;

Expression constant(Type type, std::uint64_t value) {
  Expression e;
  e.type = type;
  e.value = value;
  return e;
}

Expression operation(Operation op, Type type, std::vector<Expression> arguments) {
  Expression e;
  e.kind = Kind::operation;
  e.type = type;
  e.index = static_cast<int>(op);
  e.arguments = std::move(arguments);
  return e;
}

Expression converted(Type type, Expression from) {
  if (from.type == type) return from;
  Expression e;
  e.kind = Kind::convert;
  e.type = type;
  e.arguments.push_back(std::move(from));
  return e;
}

Type Expressions::type() {
  return random_.of({Type::u32, Type::u32, Type::u32, Type::u32, Type::u64, Type::u16, Type::u8, Type::f32, Type::f32});
}

Expression Expressions::random_constant(Type type) {
  if (is_float(type)) {
    const float x = random_.of({0.0F, 1.0F, 0.5F, -1.0F, 3.0F, 0.1F, 1e-3F, 65536.0F});
    std::uint32_t bits = 0;
    std::memcpy(&bits, &x, sizeof bits);
    return constant(type, bits);
  }
  std::uint64_t value = static_cast<std::uint64_t>(random_.below(random_.of({4, 10, 40})));
  if (random_.one_in(5)) value = random_.bits();
  if (random_.one_in(12)) value = ~std::uint64_t{0};
  const std::uint64_t mask[] = {0xff, 0xffff, 0xffffffff, ~std::uint64_t{0}};
  return constant(type, value & mask[static_cast<int>(type)]);
}

Expression Expressions::variable(int index) const {
  Expression e;
  e.kind = Kind::variable;
  e.type = function->variables[static_cast<std::size_t>(index)].type;
  e.index = index;
  return e;
}

Expression Expressions::element(int index, Level level) {
  Expression e = variable(index);
  e.kind = Kind::element;
  const auto& array = function->variables[static_cast<std::size_t>(index)];
  e.arguments.push_back(random_.one_in(2) ? constant(Type::u32, static_cast<std::uint64_t>(random_.below(array.length)))
                                          : any(Type::u32, level, 1));
  return e;
}

Expression Expressions::own(int array) {
  const auto& access = accesses[static_cast<std::size_t>(array)];
  Expression e;
  e.kind = Kind::own;
  e.index = array;
  e.value = static_cast<std::uint64_t>(random_.below(kernel_.shared[static_cast<std::size_t>(array)].slots));
  e.scale = access.scale;
  e.shift = access.shift;
  return e;
}

Expression Expressions::leaf(Type type, Level level) {
  Expression e;
  const auto variables = which([&](const Variable& v) { return !v.pointer && v.length == 0 && v.level <= level; });
  switch (random_.below(12)) {
    case 0:
      return random_constant(type);
    case 1:
      if (level == Level::varying && arrays && random_.one_in(2)) {
        e.kind = Kind::id;
        e.index = static_cast<int>(Id::linear);
        return converted(type, e);
      }
      return random_constant(type);
    case 2:
      e.kind = Kind::parameter;
      e.index = random_.below(4);
      return converted(type, e);
    case 3: {
      e.kind = Kind::id;
      e.index = random_.below(5);
      e.value = static_cast<std::uint64_t>(random_.below(kernel_.dimensions));
      const auto id = static_cast<Id>(e.index);
      if (level == Level::row && kernel_.dimensions > 1 && (id == Id::local || id == Id::global)) {
        e.value = static_cast<std::uint64_t>(1 + random_.below(kernel_.dimensions - 1));
        return converted(type, e);
      }
      if (level != Level::varying && id != Id::group && id != Id::local_range) break;
      return converted(type, e);
    }
    case 4:
      if (level == Level::known) break;
      e.kind = Kind::input;
      e.arguments.push_back(any(Type::u32, level, 1));
      return converted(type, e);
    case 5:
    case 6: {
      if (!arrays || level == Level::known) break;
      const int array = random_.below(static_cast<int>(accesses.size()));
      if (!accesses[static_cast<std::size_t>(array)].read) {
        if (level != Level::varying) break;
        return converted(type, own(array));
      }
      e.kind = Kind::shared;
      e.index = array;
      e.arguments.push_back(any(Type::u32, level, 1));
      return converted(type, e);
    }
    case 7: {
      const auto found = which([&](const Variable& v) { return v.length > 0 && v.level <= level; });
      if (found.empty()) break;
      return converted(type, element(random_.of(found), level));
    }
    case 8: {
      const auto found = which([&](const Variable& v) { return v.pointer && v.level <= level; });
      if (found.empty()) break;
      e = variable(random_.of(found));
      e.kind = Kind::pointee;
      return converted(type, e);
    }
    default:
      break;
  }
  if (variables.empty()) {
    e.kind = Kind::parameter;
    e.index = random_.below(4);
    return converted(type, e);
  }
  return converted(type, variable(random_.of(variables)));
}

Expression Expressions::any(Type type, Level level, int depth) {
  if (depth <= 0 || random_.one_in(4)) return leaf(type, level);
  const auto next = [&] { return any(type, level, depth - 1); };
  if (is_float(type)) {
    const auto op = random_.of({Operation::add, Operation::subtract, Operation::multiply, Operation::lower,
                                Operation::higher, Operation::select});
    if (op == Operation::select) return operation(op, type, {condition(level), next(), next()});
    return operation(op, type, {next(), next()});
  }
  if (random_.one_in(8)) return converted(type, any(this->type(), level, depth - 1));
  // Uniform, but only if one knows that every id is below the group's size.
  if (level == Level::hidden && random_.one_in(6)) {
    Expression id;
    id.kind = Kind::id;
    id.index = static_cast<int>(Id::linear);
    return operation(Operation::add, type,
                     {next(), converted(type, operation(Operation::quotient, Type::u32,
                                                        {id, constant(Type::u32, kernel_.size())}))});
  }
  const int op = random_.below(static_cast<int>(Operation::outside) + 1);
  switch (static_cast<Operation>(op)) {
    case Operation::less:
    case Operation::equal:
    case Operation::and_then:
      return converted(type, condition(level));
    case Operation::select:
      return operation(Operation::select, type, {condition(level), next(), next()});
    case Operation::outside:
      if (level == Level::known) return leaf(type, level);
      return converted(type, operation(Operation::outside, Type::u32,
                                       {any(Type::u32, level, depth - 1), any(Type::u32, level, depth - 1)}));
    default:
      return operation(static_cast<Operation>(op), type, {next(), next()});
  }
}

Expression Expressions::condition(Level level) {
  const Type of = random_.one_in(2) ? Type::u32 : type();
  switch (random_.below(6)) {
    case 0:
    case 1:
      return operation(Operation::less, Type::u32, {any(of, level, 1), any(of, level, 1)});
    case 2:
      return operation(Operation::equal, Type::u32, {any(of, level, 1), any(of, level, 1)});
    case 3:
      return operation(Operation::and_then, Type::u32, {any(Type::u32, level, 1), any(Type::u32, level, 1)});
    default: {
      const auto bit = operation(Operation::both, Type::u32,
                                 {any(Type::u32, level, 2), constant(Type::u32, std::uint64_t{1} << random_.below(3))});
      return bit;
    }
  }
}

}  // namespace trellis::random_kernels
