// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// ParallelFile for several ranks: each reads and writes contiguous pieces of the file with pread and pwrite, and
// exchanges them with the ranks whose blocks they are (detail/rows.hpp). MPI-IO is not used: its collective calls in
// Open MPI 4.1 wait for ever if one rank cannot read or write, its own calls fail if a signal interrupts them, and
// opening a file leaves another file behind if the job is killed.
#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

#include "trellis/comm/detail/plain_file.hpp"
#include "trellis/comm/detail/rows.hpp"
#include "trellis/comm/mpi/ranks.hpp"
#include "trellis/comm/mpi/waiting.hpp"
#include "trellis/core/error.hpp"

namespace trellis::comm::detail {

namespace {

constexpr std::uint64_t smallest_piece = 1U << 22, largest_piece = 1U << 25;  // per writer and round

using Bytes = std::vector<std::byte>;

// Bytes within a piece.
struct Run {
  std::size_t begin, count;
};
// What all ranks know of a call: whose rows are where.
struct Shares {
  Shares(const MpiRanks& ranks, const char* name, std::size_t site, const Block& block)
      : bytes_per_site(site),
        bytes_per_row(site * std::uint64_t(block.lattice[0])),
        rank(ranks.rank),
        rounds(rows_of(block.lattice), bytes_per_row, ranks.size, smallest_piece, largest_piece),
        blocks(std::size_t(ranks.size)) {
    const std::vector<std::uint64_t> counts(blocks.size(), sizeof(Block));
    ranks.gather(name, std::as_bytes(std::span(&block, 1)), counts, std::as_writable_bytes(std::span(blocks)));
  }

  std::size_t bytes_in_row(int of) const { return bytes_per_site * std::size_t(blocks[std::size_t(of)].extents[0]); }
  std::size_t bytes_of_piece(const Rows& rows, int of) const {
    return rows_in(blocks[std::size_t(of)], rows).count() * bytes_in_row(of);
  }
  std::size_t bytes_of_pieces(const Rows& rows) const {
    std::size_t bytes = 0;
    for (int of = 0; of < int(blocks.size()); ++of) bytes += bytes_of_piece(rows, of);
    return bytes;
  }
  // f(writer, first byte of this rank's block, bytes) for each writer that has some of them in a round.
  template <class F>
  void for_own_rows(std::uint64_t round, const F& f) const {
    for (const int writer : rounds.writers()) {
      const auto rows = rows_in(blocks[std::size_t(rank)], rounds.rows(round, writer));
      if (rows.count() > 0) f(writer, rows.begin * bytes_in_row(rank), rows.count() * bytes_in_row(rank));
    }
  }
  // f(first byte in the piece of these rows, bytes) for each row of a rank's block that is in it, in order.
  template <class F>
  void for_row_pieces(const Rows& rows, int of, const F& f) const {
    const auto& block = blocks[std::size_t(of)];
    const auto theirs = rows_in(block, rows);
    for (auto row = theirs.begin; row < theirs.end; ++row)
      f((row_of_lattice(block, row) - rows.begin) * bytes_per_row + bytes_per_site * std::size_t(block.origin[0]),
        bytes_in_row(of));
  }

  // The runs, in order and as long as possible, of the piece of these rows that are in some block.
  std::vector<Run> runs(const Rows& rows) const {
    std::vector<Run> all, joined;
    for (int of = 0; of < int(blocks.size()); ++of)
      for_row_pieces(rows, of, [&](std::size_t in_piece, std::size_t count) { all.push_back({in_piece, count}); });
    std::sort(all.begin(), all.end(), [](const Run& a, const Run& b) { return a.begin < b.begin; });
    for (const Run& run : all) {
      const auto end = run.begin + run.count;
      if (!joined.empty() && run.begin <= joined.back().begin + joined.back().count)
        joined.back().count = std::max(joined.back().count, end - joined.back().begin);
      else
        joined.push_back(run);
    }
    return joined;
  }

  std::size_t bytes_per_site;
  std::uint64_t bytes_per_row;
  int rank;
  Rounds rounds;
  std::vector<Block> blocks;
};

MPI_Request send(const MpiRanks& ranks, int to, std::span<const std::byte> bytes) {
  MPI_Request request = MPI_REQUEST_NULL;
  check("MPI_Isend", MPI_Isend(bytes.data(), int(bytes.size()), MPI_BYTE, to, 0, ranks.collectives(), &request));
  return request;
}

MPI_Request receive(const MpiRanks& ranks, int from, std::span<std::byte> bytes) {
  MPI_Request request = MPI_REQUEST_NULL;
  check("MPI_Irecv", MPI_Irecv(bytes.data(), int(bytes.size()), MPI_BYTE, from, 0, ranks.collectives(), &request));
  return request;
}

void finish(const MpiRanks& ranks, const char* name, std::vector<MPI_Request>& requests) {
  Waiting waiting(ranks);
  for (int done = 0;;) {
    check("MPI_Testall", MPI_Testall(int(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE));
    if (done != 0) return;
    waiting.pause([&] { return ranks.place(name); });
  }
}

// A rank that cannot read or write continues with the others, and reports it at the end.
class Attempts {
 public:
  template <class F>
  void operator()(const F& f) {
    try {
      f();
    } catch (const Error& error) {
      if (problem_.empty()) problem_ = error.what();
    }
  }
  bool failed() const { return !problem_.empty(); }
  void throw_problem() const {
    if (failed()) throw Error(problem_);
  }

 private:
  std::string problem_;
};

// Hands the blocks' bytes to the ranks that write them, and calls write(offset in the field, bytes) there.
template <class Write>
void hand_out_rows(const MpiRanks& ranks, const std::string& file, std::size_t bytes_per_site, const Block& block,
                   std::span<const std::byte> bytes, const Write& write) {
  const Shares shares(ranks, "write a field", bytes_per_site, block);
  Attempts attempt;
  Bytes piece, incoming;
  for (std::uint64_t round = 0; round < shares.rounds.count(); ++round) {
    const auto own = shares.rounds.rows(round, ranks.rank);
    piece.resize(own.count() * shares.bytes_per_row);
    incoming.resize(shares.bytes_of_pieces(own));
    const auto runs = shares.runs(own);
    std::size_t covered = 0;
    for (const Run& run : runs) covered += run.count;
    if (incoming.size() != covered) attempt([&] { fail("{}: the ranks' blocks have sites in common", file); });
    std::vector<MPI_Request> requests;
    std::size_t at = 0;
    for (int rank = 0; rank < ranks.size; ++rank) {
      const auto count = shares.bytes_of_piece(own, rank);
      if (count > 0) requests.push_back(receive(ranks, rank, std::span(incoming).subspan(at, count)));
      at += count;
    }
    shares.for_own_rows(round, [&](int writer, std::uint64_t begin, std::size_t count) {
      requests.push_back(send(ranks, writer, bytes.subspan(begin, count)));
    });
    finish(ranks, "write a field", requests);
    at = 0;
    for (int rank = 0; rank < ranks.size; ++rank)
      shares.for_row_pieces(own, rank, [&](std::size_t in_piece, std::size_t count) {
        std::memcpy(piece.data() + in_piece, incoming.data() + at, count);
        at += count;
      });
    if (!attempt.failed())
      attempt([&] {
        for (const Run& run : runs)
          write(own.begin * shares.bytes_per_row + run.begin, std::span(piece).subspan(run.begin, run.count));
      });
  }
  attempt.throw_problem();
}

class MpiFile final : public SharedFile {
 public:
  MpiFile(const MpiRanks& ranks, const std::filesystem::path& path, bool write)
      : ranks_(ranks), path_(path), file_(watched("open", [&] { return PlainFile(path, write); })) {}

  void read_at(std::uint64_t offset, std::span<std::byte> bytes) override {
    watched("read", [&] { file_.read_at(offset, bytes); });
  }
  void write_at(std::uint64_t offset, std::span<const std::byte> bytes) override {
    watched("write", [&] { file_.write_at(offset, bytes); });
  }

  void read_block(std::uint64_t offset, std::size_t bytes_per_site, const Block& block,
                  std::span<std::byte> bytes) override {
    const Shares shares(ranks_, "read a field", bytes_per_site, block);
    Attempts attempt;
    Bytes piece, outgoing;
    for (std::uint64_t round = 0; round < shares.rounds.count(); ++round) {
      const auto own = shares.rounds.rows(round, ranks_.rank);
      piece.resize(own.count() * shares.bytes_per_row);
      attempt([&] {
        for (const Run& run : shares.runs(own))
          read_at(offset + own.begin * shares.bytes_per_row + run.begin,
                  std::span(piece).subspan(run.begin, run.count));
      });
      std::vector<MPI_Request> requests;
      shares.for_own_rows(round, [&](int writer, std::uint64_t begin, std::size_t count) {
        requests.push_back(receive(ranks_, writer, bytes.subspan(begin, count)));
      });
      outgoing.resize(shares.bytes_of_pieces(own));
      std::size_t at = 0;
      for (int rank = 0; rank < ranks_.size; ++rank) {
        const auto begin = at;
        shares.for_row_pieces(own, rank, [&](std::size_t in_piece, std::size_t count) {
          std::memcpy(outgoing.data() + at, piece.data() + in_piece, count);
          at += count;
        });
        if (at > begin) requests.push_back(send(ranks_, rank, std::span(outgoing).subspan(begin, at - begin)));
      }
      finish(ranks_, "read a field", requests);
    }
    attempt.throw_problem();
  }

  void write_block(std::uint64_t offset, std::size_t bytes_per_site, const Block& block,
                   std::span<const std::byte> bytes) override {
    hand_out_rows(ranks_, path_.string(), bytes_per_site, block, bytes,
                  [&](std::uint64_t at, std::span<const std::byte> piece) { write_at(offset + at, piece); });
  }

  void sync() override {
    watched("sync", [&] { file_.sync(); });
  }
  void close() override {
    watched("close", [&] { file_.close(); });
  }
  void start_writing(std::uint64_t offset, std::uint64_t bytes) override {
    watched("write", [&] { file_.start_writing(offset, bytes); });
  }
  void start_reading_back(std::uint64_t offset, std::uint64_t bytes) override {
    watched("write", [&] { file_.start_reading_back(offset, bytes); });
  }

 private:
  // The watchdog also covers a file system that does not answer.
  template <class F>
  std::invoke_result_t<F> watched(const char* call, const F& f) const {
    const auto watch = ranks_.watch(call, path_.string());
    return f();
  }

  const MpiRanks& ranks_;
  std::filesystem::path path_;
  PlainFile file_;
};

}  // namespace

void MpiRanks::hand_out(std::size_t bytes_per_site, const Block& block, std::span<const std::byte> bytes,
                        const KeepPiece& keep) const {
  hand_out_rows(*this, "a field", bytes_per_site, block, bytes, keep);
}

std::unique_ptr<SharedFile> MpiRanks::open(const std::filesystem::path& path, bool write) const {
  return std::make_unique<MpiFile>(*this, path, write);
}

}  // namespace trellis::comm::detail
