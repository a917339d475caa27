// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Shows one page to browsers on this machine: HTTP/1.1 on 127.0.0.1, with a single thread for all clients
// (Boost.Beast). It never disturbs the program: it catches all exceptions, gets no signals, runs at a lower priority
// than other threads, drops clients that take longer than 10 seconds or send more than 8 KiB, and serves at most 16 at
// a time.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace trellis::app {

// The page, made on request in the responder's thread. If it throws, browsers get the message and status 503.
using Page = std::function<std::string()>;

class HttpResponder {
 public:
  // port 0: any free one. Throws InputError if the port cannot be opened.
  HttpResponder(std::uint16_t port, Page page);
  HttpResponder(const HttpResponder&) = delete;
  HttpResponder& operator=(const HttpResponder&) = delete;
  // Waits for a page that is being made, and drops all clients.
  ~HttpResponder();

  std::uint16_t port() const;
  std::string address() const;  // "http://127.0.0.1:8080/"

 private:
  struct Server;
  std::unique_ptr<Server> server_;
};

}  // namespace trellis::app
