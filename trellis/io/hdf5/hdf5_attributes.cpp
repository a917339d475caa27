// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/io/hdf5/hdf5_attributes.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "trellis/core/error.hpp"
#include "trellis/io/bytes.hpp"

namespace trellis::io {
namespace {

// Messages of an object's header.
constexpr unsigned shape_message = 0x01, type_message = 0x03, fill_message = 0x05, layout_message = 0x08,
                   filter_message = 0x0b;
constexpr unsigned attribute_message = 0x0c, continuation_message = 0x10, attribute_info_message = 0x15;
constexpr unsigned shared_flag = 2;     // the message lies elsewhere
constexpr unsigned in_shared_heap = 1;  // of a shared message
constexpr unsigned chunked_layout = 2, empty_shape = 2;
constexpr std::uint64_t no_address = ~std::uint64_t{0};
constexpr std::uint64_t most_in_header = 1ULL << 24;  // bytes of all messages; one has at most 64 KiB
constexpr std::uint64_t reference_bytes = 16;         // length, address of the heap's collection, number of the object
constexpr std::uint64_t heap_head = 16, heap_align = 8;  // of a collection and of each object; of objects

// Bytes that are taken one after another.
class Bytes {
 public:
  Bytes(std::string bytes, std::string where) : bytes_(std::move(bytes)), where_(std::move(where)) {}

  std::uint64_t left() const { return bytes_.size() - at_; }
  std::string take(std::uint64_t count) {
    if (count > left()) fail("{}: is damaged: it does not fit its place in the file", where_);
    at_ += count;
    return bytes_.substr(at_ - count, count);
  }
  template <class T>
  T number() {
    return load<T>(reinterpret_cast<const std::byte*>(take(sizeof(T)).data()), ByteOrder::little);
  }
  unsigned byte() { return static_cast<unsigned char>(take(1)[0]); }

 private:
  std::string bytes_, where_;
  std::uint64_t at_ = 0;
};

class Header {
 public:
  Header(const InputFile& file, std::uint64_t base, std::string where)
      : file_(file), base_(base), where_(std::move(where)) {}

  // What the attribute holds.
  Bytes content_of(std::uint64_t header, const std::string& attribute) const {
    std::optional<Bytes> content;
    for_each_message(header, [&](unsigned kind, unsigned flags, Bytes& message) {
      if (!content && kind == attribute_message && (flags & shared_flag) == 0)
        content = content_if_named(message, attribute);
    });
    if (content) return *content;
    fail("{}: is not in the header of its object; texts of variable length are not read from elsewhere", where_);
  }

  std::optional<std::vector<std::string>> names(std::uint64_t header) const {
    std::vector<std::string> found;
    bool are_all_here = true;
    for_each_message(header, [&](unsigned kind, unsigned flags, Bytes& message) {
      if (kind == attribute_info_message) are_all_here = are_all_here && !is_heap_used(message);
      if (kind != attribute_message) return;
      if ((flags & shared_flag) != 0) fail("{}: has an attribute that lies elsewhere, which is not read", where_);
      found.push_back(head_of(message).name);
    });
    return are_all_here ? std::optional(found) : std::nullopt;
  }

  void require_header(std::uint64_t header) const {
    std::map<unsigned, std::size_t> found;
    std::optional<std::uint32_t> rank, bytes;
    std::optional<std::vector<std::uint32_t>> chunk;
    for_each_message(header, [&](unsigned kind, unsigned flags, Bytes& message) {
      if ((flags & shared_flag) != 0) {
        message.take(1);
        if (message.byte() == in_shared_heap) damaged("a part of its header lies elsewhere");
        return;
      }
      for (const auto once : {shape_message, type_message, fill_message, layout_message, filter_message})
        if (kind == once && ++found[kind] > 1) damaged("its header describes something twice");
      if (kind == attribute_message) {
        require_value(message);
      } else if (kind == shape_message) {
        message.take(1);
        rank = message.byte();
      } else if (kind == type_message) {
        message.take(4);
        bytes = message.number<std::uint32_t>();
      } else if (kind == layout_message) {
        chunk = chunk_of(message);
      }
    });
    if (!chunk) return;
    if (chunk->empty() || std::ranges::count(*chunk, 0U) > 0) damaged("its chunks are empty");
    if (rank && chunk->size() != *rank + 1) damaged("its chunks do not have its dimensions");
    if (bytes && chunk->back() != *bytes) damaged("its chunks do not have its type");
  }

  // The library reads type, shape and value of an attribute without looking where its message ends.
  void require_value(Bytes& message) const {
    const auto head = head_of(message);
    Bytes type(message.take(head.type_bytes), where_), shape(message.take(head.between - head.type_bytes), where_);
    type.take(4);
    const std::uint64_t element = type.number<std::uint32_t>();
    const auto version = shape.byte();
    const auto rank = shape.byte();
    shape.take(1);
    const bool is_empty = shape.byte() == empty_shape && version > 1;
    if (version == 1) shape.take(4);
    std::uint64_t elements = is_empty ? 0 : 1;
    for (unsigned n = 0; n < rank; ++n) {
      const auto extent = shape.number<std::uint64_t>();
      if (extent > most_in_header) damaged("an attribute is larger than a header");
      elements = std::min(elements * extent, most_in_header);
    }
    if (element > 0 && elements > message.left() / element) damaged("an attribute does not fit its place");
  }

  std::string text(Bytes& references) const {
    const std::uint64_t length = references.number<std::uint32_t>();
    const auto heap = references.number<std::uint64_t>();
    const auto number = references.number<std::uint32_t>();
    if (heap == 0 || length == 0) return "";
    auto head = bytes_at(heap, heap_head);
    if (head.take(4) != "GCOL" || head.byte() != 1) damaged("there is no heap where its text should be");
    head.take(3);
    const auto size = head.number<std::uint64_t>();
    require_in_file(heap, size);
    for (auto at = heap_head; at + heap_head <= size;) {
      auto object = bytes_at(heap + at, heap_head);
      const auto found = object.number<std::uint16_t>();
      object.take(6);
      const auto bytes = object.number<std::uint64_t>();
      at += heap_head;
      if (found == 0) break;  // the rest is free
      if (bytes > size - at) damaged("an object of the heap ends beyond it");
      if (found == number) {
        if (bytes < length) damaged("the heap has a shorter text");
        const auto text = bytes_at(heap + at, length).take(length);
        return text.substr(0, text.find('\0'));
      }
      at += (bytes + heap_align - 1) / heap_align * heap_align;
    }
    damaged("its text is not in the heap");
  }

 private:
  [[noreturn]] void damaged(std::string_view how) const { fail("{}: is damaged: {}", where_, how); }

  void require_in_file(std::uint64_t address, std::uint64_t length) const {
    const auto size = file_.size() - std::min(base_, file_.size());
    if (address > size || length > size - address) damaged("a part of it should be beyond the end of the file");
  }
  Bytes bytes_at(std::uint64_t address, std::uint64_t length) const {
    require_in_file(address, length);
    return {file_.text(base_ + address, length, "an attribute"), where_};
  }
  Bytes messages_at(std::uint64_t address, std::uint64_t length) const {
    if (length > most_in_header) damaged("the header of its object is too long");
    return bytes_at(address, length);
  }

  // f(kind, flags, message) for all messages of a header but those that continue it.
  template <class F>
  void for_each_message(std::uint64_t header, const F& f) const {
    const bool is_new = bytes_at(header, 4).take(4) == "OHDR";
    auto head = bytes_at(header, 16);
    bool has_order = false;
    std::vector<Bytes> blocks;
    if (is_new) {
      head.take(5);
      const unsigned flags = head.byte();
      has_order = (flags & 4) != 0;
      const std::uint64_t before = 6 + ((flags & 0x20) != 0 ? 16U : 0U) + ((flags & 0x10) != 0 ? 4U : 0U);
      const std::uint64_t size_bytes = 1ULL << (flags & 3);
      auto size = bytes_at(header + before, size_bytes).take(size_bytes);
      size.resize(8, '\0');
      blocks.push_back(messages_at(header + before + size_bytes, Bytes(size, where_).number<std::uint64_t>()));
    } else {
      if (head.byte() != 1) damaged("the header of its object is of no known version");
      head.take(7);
      blocks.push_back(messages_at(header + 16, head.number<std::uint32_t>()));
    }
    for (std::uint64_t read = 0; !blocks.empty();) {
      auto block = std::move(blocks.back());
      blocks.pop_back();
      read += block.left() + 1;
      if (read > most_in_header) damaged("the header of its object does not end");
      while (block.left() >= (is_new ? (has_order ? 6U : 4U) : 8U)) {
        const unsigned kind = is_new ? block.byte() : block.number<std::uint16_t>();
        const auto size = block.number<std::uint16_t>();
        const unsigned flags = block.byte();
        block.take(is_new ? (has_order ? 2 : 0) : 3);
        Bytes message(block.take(size), where_);
        if (kind == continuation_message) {
          const auto address = message.number<std::uint64_t>(), length = message.number<std::uint64_t>();
          constexpr std::uint64_t signature = 4, sum = 4;
          if (is_new && length < signature + sum) damaged("the header of its object is continued by nothing");
          blocks.push_back(is_new ? messages_at(address + signature, length - signature - sum)
                                  : messages_at(address, length));
        } else {
          f(kind, flags, message);
        }
      }
    }
  }

  struct Head {
    std::string name;
    std::uint64_t type_bytes, between;  // of the type, and with the shape, which follow
  };
  static Head head_of(Bytes& message) {
    const auto version = message.byte();
    message.take(1);
    const auto padded = [&](std::uint64_t bytes) { return version == 1 ? (bytes + 7) / 8 * 8 : bytes; };
    const auto name_bytes = message.number<std::uint16_t>(), type_bytes = message.number<std::uint16_t>(),
               shape_bytes = message.number<std::uint16_t>();
    if (version == 3) message.take(1);
    const auto name = message.take(padded(name_bytes));
    return {name.substr(0, name.find('\0')), padded(type_bytes), padded(type_bytes) + padded(shape_bytes)};
  }

  static std::optional<Bytes> content_if_named(Bytes message, const std::string& attribute) {
    const auto head = head_of(message);
    if (head.name != attribute) return std::nullopt;
    message.take(head.between);
    return message;
  }

  // Of a layout message, if it is one of chunks that has their extents, and then the bytes of an element.
  static std::optional<std::vector<std::uint32_t>> chunk_of(Bytes& layout) {
    const auto version = layout.byte();
    unsigned extents = 0;
    if (version == 1 || version == 2) {
      extents = layout.byte();
      if (layout.byte() != chunked_layout) return std::nullopt;
      layout.take(5);
    } else if (version == 3) {
      if (layout.byte() != chunked_layout) return std::nullopt;
      extents = layout.byte();
    } else {
      return std::nullopt;
    }
    layout.take(8);  // the address of their index
    std::vector<std::uint32_t> chunk;
    for (unsigned n = 0; n < extents; ++n) chunk.push_back(layout.number<std::uint32_t>());
    return chunk;
  }

  // Many attributes of one object are in a heap of their own.
  static bool is_heap_used(Bytes& message) {
    message.take(1);
    if ((message.byte() & 1) != 0) message.take(2);  // the highest number of an attribute
    return message.number<std::uint64_t>() != no_address;
  }

  const InputFile& file_;
  std::uint64_t base_;
  std::string where_;
};

}  // namespace

std::vector<std::string> variable_texts(const InputFile& file, std::uint64_t base, std::uint64_t header,
                                        const std::string& attribute, std::size_t count, const std::string& where) {
  const Header object(file, base, where);
  auto references = object.content_of(header, attribute);
  if (count > references.left() / reference_bytes) fail("{}: is damaged: it has fewer texts than it says", where);
  std::vector<std::string> found;
  for (std::size_t n = 0; n < count; ++n) found.push_back(object.text(references));
  return found;
}

std::optional<std::vector<std::string>> attribute_names(const InputFile& file, std::uint64_t base, std::uint64_t header,
                                                        const std::string& where) {
  return Header(file, base, where).names(header);
}

void require_header(const InputFile& file, std::uint64_t base, std::uint64_t header, const std::string& where) {
  Header(file, base, where).require_header(header);
}

}  // namespace trellis::io
