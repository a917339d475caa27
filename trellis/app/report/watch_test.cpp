// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <atomic>
#include <pugixml.hpp>

#include "tests/support/run_test.hpp"
#include "trellis/app/report/http_responder.hpp"

namespace trellis::app {
namespace {

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

// A TCP socket; -1 if nobody listens.
class Socket {
 public:
  Socket() : descriptor_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {}
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  ~Socket() { ::close(descriptor_); }

  bool connect(std::uint16_t port) const {
    const auto address = loopback(port);
    return ::connect(descriptor_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  }
  // Listens on a free port.
  std::uint16_t listen() const {
    auto address = loopback(0);
    socklen_t size = sizeof address;
    EXPECT_EQ(::bind(descriptor_, reinterpret_cast<const sockaddr*>(&address), size), 0);
    EXPECT_EQ(::listen(descriptor_, 1), 0);
    ::getsockname(descriptor_, reinterpret_cast<sockaddr*>(&address), &size);
    return ntohs(address.sin_port);
  }
  void send(const std::string& text) const {
    EXPECT_EQ(::send(descriptor_, text.data(), text.size(), MSG_NOSIGNAL), ssize_t(text.size()));
  }
  std::string receive() const {
    std::string all;
    char bytes[65536];
    for (ssize_t n; (n = ::recv(descriptor_, bytes, sizeof bytes, 0)) > 0;) all.append(bytes, std::size_t(n));
    return all;
  }

 private:
  int descriptor_;
};

std::uint16_t free_port() { return Socket().listen(); }

std::string request(std::uint16_t port, const std::string& first_line, const std::string& host = "127.0.0.1") {
  const Socket socket;
  if (!socket.connect(port)) return "";
  socket.send(first_line + " HTTP/1.1\r\nHost: " + host + "\r\nUser-Agent: test\r\n\r\n");
  return socket.receive();
}

std::string status(const std::string& answer) { return answer.substr(0, answer.find("\r\n")); }
std::string body(const std::string& answer) {
  return answer.substr(std::min(answer.size(), answer.find("\r\n\r\n") + 4));
}

TEST(HttpResponder, AnswersWhatItKnows) {
  const HttpResponder responder(0, [] { return std::string("<p>page</p>"); });
  const auto port = responder.port();
  EXPECT_EQ(responder.address(), "http://127.0.0.1:" + std::to_string(port) + "/");
  const auto page = request(port, "GET /");
  EXPECT_EQ(status(page), "HTTP/1.1 200 OK");
  EXPECT_EQ(body(page), "<p>page</p>");
  EXPECT_NE(page.find("Content-Type: text/html; charset=utf-8"), std::string::npos) << page;
  EXPECT_NE(page.find("Content-Length: 11"), std::string::npos) << page;
  EXPECT_EQ(body(request(port, "GET /?a=b", "localhost:" + std::to_string(port))), "<p>page</p>");
  const auto head = request(port, "HEAD /");
  EXPECT_EQ(status(head), "HTTP/1.1 200 OK");
  EXPECT_EQ(body(head), "");
  EXPECT_EQ(status(request(port, "GET /etc/passwd")), "HTTP/1.1 404 Not Found");
  EXPECT_EQ(status(request(port, "DELETE /")), "HTTP/1.1 405 Method Not Allowed");
  EXPECT_EQ(status(request(port, "GET /", "example.org")), "HTTP/1.1 403 Forbidden");
}

TEST(HttpResponder, SurvivesFailuresAndBadClients) {
  std::atomic<int> calls{0};
  const HttpResponder responder(0, [&]() -> std::string {
    if (++calls == 1) throw std::runtime_error("cannot <read>");
    return "page";
  });
  const auto port = responder.port();
  const auto failed = request(port, "GET /");
  EXPECT_EQ(status(failed), "HTTP/1.1 503 Service Unavailable");
  EXPECT_EQ(body(failed), "cannot <read>\n");
  EXPECT_NE(failed.find("Content-Type: text/plain"), std::string::npos);
  // Clients that say nothing, that send nonsense or too much, or that go away keep nobody else waiting.
  const Socket silent, nonsense, endless;
  ASSERT_TRUE(silent.connect(port) && nonsense.connect(port) && endless.connect(port));
  nonsense.send("\x01\x02\r\n\r\n");
  endless.send("GET / HTTP/1.1\r\nX: " + std::string(20000, 'x'));
  EXPECT_EQ(nonsense.receive(), "");
  {
    const Socket gone;
    ASSERT_TRUE(gone.connect(port));
    gone.send("GET / HTTP/1.1\r\n\r\n");
  }
  EXPECT_EQ(body(request(port, "GET /")), "page");
  // At most 16 at a time.
  std::vector<std::unique_ptr<Socket>> crowd;
  for (int i = 0; i < 40; ++i) {
    crowd.push_back(std::make_unique<Socket>());
    crowd.back()->connect(port);
  }
  crowd.clear();
  std::string answer;
  for (int i = 0; i < 100 && answer.empty(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    answer = body(request(port, "GET /"));
  }
  EXPECT_EQ(answer, "page");
}

class Watch : public test::RunTest {
 protected:
  std::vector<std::string> watched(const std::string& name, std::uint16_t port) const {
    return {TRELLIS_PROGRAM, "run", name + ".toml", "--watch", std::to_string(port)};
  }
};

TEST_F(Watch, ShowsTheRunWhileItIsGoing) {
  ASSERT_EQ(run("alone", {{"trajectories = 12", "trajectories = 30"}}).code, 0);
  io::test::write_all(at("a.toml"), input("a", {{"trajectories = 12", "trajectories = 100000"}}));
  const auto port = free_port();
  test::Process process(watched("a", port), here());
  std::string page;
  for (int i = 0; i < 400 && page.find("Histories and autocorrelations") == std::string::npos; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    page = body(request(port, "GET /"));
  }
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(page.c_str())) << page.substr(0, 400);
  EXPECT_FALSE(document.select_nodes("//meta[@http-equiv='refresh']").empty());
  EXPECT_STREQ(document.select_node("//progress").node().attribute("max").value(), "100000");
  EXPECT_GT(document.select_node("//progress").node().attribute("value").as_int(), 3);
  EXPECT_NE(page.find(" left"), std::string::npos);
  EXPECT_NE(page.find("still going"), std::string::npos);
  // A client that waits does not keep the run from ending, and somebody who watches changes no bit.
  const Socket silent;
  ASSERT_TRUE(silent.connect(port));
  while (table("a").size() < table("alone").size()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  process.signal(SIGINT);
  const auto outcome = process.wait();
  EXPECT_EQ(outcome.code, 130) << outcome.err;
  EXPECT_NE(outcome.out.find("Watch it at http://127.0.0.1:" + std::to_string(port) + "/\n"), std::string::npos);
  EXPECT_EQ(table("a").substr(0, table("alone").size()), table("alone"));
}

TEST_F(Watch, APortInUseIsAnErrorBeforeAnythingIsWritten) {
  io::test::write_all(at("a.toml"), input("a"));
  const Socket other;
  const auto port = other.listen();
  const auto outcome = test::Process(watched("a", port), here()).wait();
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("cannot listen on 127.0.0.1:" + std::to_string(port)), std::string::npos) << outcome.err;
  EXPECT_FALSE(exists("a"));
  EXPECT_EQ(test::Process({TRELLIS_PROGRAM, "run", "a.toml", "--watch", "70000"}, here()).wait().code, 2);
}

}  // namespace
}  // namespace trellis::app
