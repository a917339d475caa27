// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/report/http_responder.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <csignal>
#include <optional>
#include <thread>

#include "trellis/core/base/signals_blocked.hpp"
#include "trellis/core/error.hpp"
#include "trellis/core/runtime/binding.hpp"

namespace trellis::app {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using asio::ip::tcp;
using ErrorCode = boost::system::error_code;

constexpr auto kPatience = std::chrono::seconds(10);  // with a client
constexpr int kMostClients = 16;
constexpr std::uint32_t kMostHeaderBytes = 8192;

using Request = http::request<http::empty_body>;
using Response = http::response<http::string_body>;

// Against DNS rebinding: a page from elsewhere whose name resolves to 127.0.0.1 must not be able to read this one.
bool names_this_machine(std::string_view host) {
  if (const auto colon = host.rfind(':'); colon != std::string_view::npos && host.find(']', colon) == host.npos)
    host = host.substr(0, colon);
  return host.empty() || host == "127.0.0.1" || host == "localhost" || host == "[::1]";
}

Response answer_to(const Request& request, const Page& page) {
  Response response;
  response.version(11);
  response.keep_alive(false);
  response.set(http::field::content_type, "text/html; charset=utf-8");
  response.set(http::field::cache_control, "no-store");
  response.set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'");
  response.set("X-Content-Type-Options", "nosniff");
  const auto say = [&](http::status status, const std::string& text) {
    response.result(status);
    response.set(http::field::content_type, "text/plain; charset=utf-8");
    response.body() = text + "\n";
  };
  const std::string_view target(request.target().data(), request.target().size());
  const auto host = request[http::field::host];
  if (!names_this_machine({host.data(), host.size()})) {
    say(http::status::forbidden, "This page is for browsers on its own machine.");
  } else if (request.method() != http::verb::get && request.method() != http::verb::head) {
    response.set(http::field::allow, "GET, HEAD");
    say(http::status::method_not_allowed, "Only GET and HEAD are supported.");
  } else if (target.substr(0, target.find('?')) != "/") {
    say(http::status::not_found, "There is only one page here: /");
  } else {
    try {
      response.body() = page();
    } catch (const std::exception& error) {
      response.set(http::field::retry_after, "5");
      response.set("Refresh", "5");
      say(http::status::service_unavailable, error.what());
    } catch (...) {
      say(http::status::service_unavailable, "The page cannot be made.");
    }
  }
  response.prepare_payload();
  if (request.method() == http::verb::head) response.body().clear();
  return response;
}

// One request of one client. It keeps itself alive until it is answered, or the client's time is up.
class Client : public std::enable_shared_from_this<Client> {
 public:
  Client(tcp::socket socket, const Page& page, int& count) : stream_(std::move(socket)), page_(page), count_(count) {
    ++count_;
  }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  ~Client() { --count_; }

  void start() {
    parser_.header_limit(kMostHeaderBytes);
    parser_.body_limit(std::uint64_t{0});
    stream_.expires_after(kPatience);
    http::async_read(stream_, buffer_, parser_, [self = shared_from_this()](ErrorCode error, std::size_t) {
      if (!error) self->answer();
    });
  }

 private:
  void answer() {
    response_ = answer_to(parser_.get(), page_);
    stream_.expires_after(kPatience);
    http::async_write(stream_, response_, [self = shared_from_this()](ErrorCode, std::size_t) {
      ErrorCode ignored;
      self->stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
    });
  }

  beast::tcp_stream stream_;
  beast::flat_buffer buffer_{kMostHeaderBytes};
  http::request_parser<http::empty_body> parser_;
  Response response_;
  const Page& page_;
  int& count_;
};

}  // namespace

struct HttpResponder::Server {
  Server(std::uint16_t port, Page of) : page(std::move(of)), acceptor(context), pause(context) {
    ErrorCode error;
    const tcp::endpoint here(asio::ip::address_v4::loopback(), port);
    const auto step = [&](const auto& f) {
      if (!error) f();
    };
    step([&] { acceptor.open(here.protocol(), error); });
    // A port that a previous run has just left is free; one where somebody listens is not.
    step([&] { acceptor.set_option(tcp::acceptor::reuse_address(true), error); });
    step([&] { acceptor.bind(here, error); });
    step([&] { acceptor.listen(asio::socket_base::max_listen_connections, error); });
    if (error)
      fail_input("--watch {}: cannot listen on 127.0.0.1:{}: {}; choose another port", port, port, error.message());
    accept();
    const SignalsBlocked blocked;
    thread = std::thread([this] { serve(); });
  }

  void serve() noexcept {
    run_anywhere();  // not on the core of the thread that computes
    // On Linux a thread has a priority of its own.
    ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), 10);
    for (;;) {
      try {
        context.run();
        return;
      } catch (...) {
        // For example out of memory: this client gets no answer.
      }
    }
  }

  void accept() {
    acceptor.async_accept([this](ErrorCode error, tcp::socket socket) {
      if (error == asio::error::operation_aborted) return;
      if (!error && clients < kMostClients) {
        try {
          std::make_shared<Client>(std::move(socket), page, clients)->start();
        } catch (...) {
          // This client gets no answer.
        }
      }
      if (!error) return accept();
      // For example because no file descriptors are left; later there may be some.
      pause.expires_after(std::chrono::seconds(1));
      pause.async_wait([this](ErrorCode stopped) {
        if (!stopped) accept();
      });
    });
  }

  Page page;
  int clients = 0;
  asio::io_context context{1};
  tcp::acceptor acceptor;
  asio::steady_timer pause;
  std::thread thread;
};

HttpResponder::HttpResponder(std::uint16_t port, Page page)
    : server_(std::make_unique<Server>(port, std::move(page))) {}

HttpResponder::~HttpResponder() {
  server_->context.stop();
  server_->thread.join();
}

std::uint16_t HttpResponder::port() const {
  ErrorCode ignored;
  return server_->acceptor.local_endpoint(ignored).port();
}

std::string HttpResponder::address() const { return fmt::format("http://127.0.0.1:{}/", port()); }

}  // namespace trellis::app
