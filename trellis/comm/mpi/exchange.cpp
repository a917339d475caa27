// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Messages with persistent requests.
#include <algorithm>

#include "trellis/comm/mpi/ranks.hpp"
#include "trellis/comm/mpi/waiting.hpp"
#include "trellis/core/error.hpp"

namespace trellis::comm::detail {

namespace {

int count_of(const char* name, std::size_t bytes) {
  if (bytes > std::size_t(INT32_MAX))
    fail("messages '{}': a part of {} bytes; at most 2 GiB are possible", name, bytes);
  return int(bytes);
}

class MpiExchange final : public Exchange {
 public:
  MpiExchange(const MpiRanks& ranks, const char* name, const std::vector<Outgoing>& out,
              const std::vector<Incoming>& in)
      : ranks_(ranks), name_(name), out_(out), in_(in), come_(in.size(), true), waiting_(ranks) {
    const auto tags = ranks.new_tags();
    for (const auto& o : out) {
      MPI_Request request = MPI_REQUEST_NULL;
      check("MPI_Send_init", MPI_Send_init(o.bytes.data(), count_of(name, o.bytes.size()), MPI_BYTE, o.to,
                                           tags.first + o.label, tags.ranks, &request));
      sends_.push_back(request);
    }
    for (const auto& i : in) {
      MPI_Request request = MPI_REQUEST_NULL;
      check("MPI_Recv_init", MPI_Recv_init(i.bytes.data(), count_of(name, i.bytes.size()), MPI_BYTE, i.from,
                                           tags.first + i.label, tags.ranks, &request));
      receives_.push_back(request);
    }
    indices_.resize(in.size());
    statuses_.resize(in.size());
  }
  MpiExchange(const MpiExchange&) = delete;
  MpiExchange& operator=(const MpiExchange&) = delete;

  ~MpiExchange() override {
    if (ranks_.ended()) return;
    // Do not wait for what has not arrived: an error may be being propagated.
    for (std::size_t i = 0; i < receives_.size(); ++i) {
      if (come_[i]) continue;
      MPI_Cancel(&receives_[i]);
      MPI_Wait(&receives_[i], MPI_STATUS_IGNORE);
    }
    for (auto& request : receives_) MPI_Request_free(&request);
    for (auto& request : sends_) MPI_Request_free(&request);
  }

  void expect() override {
    if (ranks_.ended()) fail("messages '{}': the Session has ended", name_);
    waiting_.begin_again();
    if (receives_.empty()) return;
    check("MPI_Startall", MPI_Startall(int(receives_.size()), receives_.data()));
    come_.assign(receives_.size(), false);
  }

  void send(int i) override { check("MPI_Start", MPI_Start(&sends_[std::size_t(i)])); }

  void collect(bool wait, std::vector<int>& come) override {
    const auto place = [&] {
      const auto first = std::size_t(std::find(come_.begin(), come_.end(), false) - come_.begin());
      return ranks_.place(name_.c_str(), Place::message_from, in_[first].from);
    };
    for (;;) {
      int count = 0;
      const int code = MPI_Testsome(int(receives_.size()), receives_.data(), &count, indices_.data(), statuses_.data());
      if (code != MPI_SUCCESS && code != MPI_ERR_IN_STATUS) check("MPI_Testsome", code);
      for (int k = 0; k < count; ++k) {  // MPI_UNDEFINED is negative
        const auto i = std::size_t(indices_[std::size_t(k)]);
        come_[i] = true;
        verify(in_[i], code == MPI_ERR_IN_STATUS ? statuses_[std::size_t(k)].MPI_ERROR : MPI_SUCCESS,
               statuses_[std::size_t(k)]);
        come.push_back(in_[i].part);
      }
      if (count > 0) return waiting_.begin_again();
      if (!wait) return waiting_.passing_by(place);
      waiting_.pause(place);
    }
  }

  void finish_sends() override {
    if (sends_.empty()) return;
    Waiting waiting(ranks_);
    for (;;) {
      int done = 0;
      check("MPI_Testall", MPI_Testall(int(sends_.size()), sends_.data(), &done, MPI_STATUSES_IGNORE));
      if (done != 0) return;
      waiting.pause([&] {
        for (std::size_t i = 0; i < sends_.size(); ++i) {
          int sent = 0;
          MPI_Request_get_status(sends_[i], &sent, MPI_STATUS_IGNORE);
          if (sent == 0) return ranks_.place(name_.c_str(), Place::message_to, out_[i].to);
        }
        return ranks_.place(name_.c_str(), Place::message_to, out_[0].to);
      });
    }
  }

 private:
  void verify(const Incoming& in, int code, const MPI_Status& status) const {
    if (code != MPI_SUCCESS) fail("messages '{}': label {} from rank {}: {}", name_, in.label, in.from, mpi_text(code));
    int bytes = 0;
    check("MPI_Get_count", MPI_Get_count(&status, MPI_BYTE, &bytes));
    if (std::size_t(bytes) != in.bytes.size())
      fail("messages '{}': rank {} sent {} bytes with label {}, and {} were expected", name_, in.from, bytes, in.label,
           in.bytes.size());
  }

  const MpiRanks& ranks_;
  std::string name_;
  std::vector<Outgoing> out_;
  std::vector<Incoming> in_;
  std::vector<bool> come_;
  std::vector<MPI_Request> sends_, receives_;
  std::vector<int> indices_;
  std::vector<MPI_Status> statuses_;
  Waiting waiting_;  // for incoming messages
};

}  // namespace

std::unique_ptr<Exchange> MpiRanks::exchange(const char* name, const std::vector<Outgoing>& out,
                                             const std::vector<Incoming>& in) const {
  return std::make_unique<MpiExchange>(*this, name, out, in);
}

}  // namespace trellis::comm::detail
