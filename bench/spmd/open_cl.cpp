// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#define CL_TARGET_OPENCL_VERSION 120
#include "bench/spmd/open_cl.hpp"

#include <CL/cl.h>
#include <fmt/format.h>

#include <cstdlib>
#include <utility>

#include "trellis/core/error.hpp"

namespace trellis::bench::spmd {
namespace {

void check(cl_int code, const char* what) {
  if (code != CL_SUCCESS) fail("OpenCL: {} failed with code {}", what, code);
}

// An OpenCL object, released with its owner.
template <class T, cl_int (*Release)(T)>
class Owned {
 public:
  Owned() = default;
  explicit Owned(T object) : object_(object) {}
  Owned(Owned&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Owned& operator=(Owned&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Owned() {
    if (object_ != nullptr) Release(object_);
  }
  T get() const { return object_; }

 private:
  T object_ = nullptr;
};
using Context = Owned<cl_context, clReleaseContext>;
using Queue = Owned<cl_command_queue, clReleaseCommandQueue>;
using Program = Owned<cl_program, clReleaseProgram>;
using KernelObject = Owned<cl_kernel, clReleaseKernel>;
using Buffer = Owned<cl_mem, clReleaseMemObject>;

class PoclKernel : public OpenClKernel {
 public:
  PoclKernel(cl_context context, cl_device_id device, cl_command_queue queue, const OpenClLaunch& launch,
             const std::string& method)
      : queue_(queue), launch_(launch) {
    cl_int code = CL_SUCCESS;
    program_ = Program(clCreateProgramWithSource(context, 1, &launch_.source, nullptr, &code));
    check(code, "to read a source");
    const std::string options = fmt::format("-cl-mad-enable -DMETHOD_{} {}", method, launch.options);
    if (clBuildProgram(program_.get(), 1, &device, options.c_str(), nullptr, nullptr) != CL_SUCCESS) {
      std::string log(16384, '\0');
      clGetProgramBuildInfo(program_.get(), device, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), nullptr);
      fail("OpenCL: kernel '{}' does not compile:\n{}", launch.name, log.c_str());
    }
    kernel_ = KernelObject(clCreateKernel(program_.get(), launch.name, &code));
    check(code, "to make a kernel");
    cl_uint number = 0;
    for (const OpenClArgument& argument : launch.arguments) add(context, number++, argument);
    run(1);  // PoCL compiles for a group size at the first launch, with the method set at that moment
  }

  void run(int times) override {
    for (int n = 0; n < times; ++n) {
      check(clEnqueueNDRangeKernel(queue_, kernel_.get(), static_cast<cl_uint>(launch_.dimensions), nullptr,
                                   launch_.global, launch_.local, 0, nullptr, nullptr),
            "to launch a kernel");
    }
    check(clFinish(queue_), "to wait");
  }

  void begin_host_access() override {
    for (auto& [buffer, bytes, mapped] : buffers_) {
      cl_int code = CL_SUCCESS;
      mapped = clEnqueueMapBuffer(queue_, buffer.get(), CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, bytes, 0, nullptr,
                                  nullptr, &code);
      check(code, "to map memory");
    }
  }
  void end_host_access() override {
    for (auto& [buffer, bytes, mapped] : buffers_) {
      check(clEnqueueUnmapMemObject(queue_, buffer.get(), mapped, 0, nullptr, nullptr), "to unmap memory");
    }
    check(clFinish(queue_), "to wait");
  }

 private:
  struct Mapped {
    Buffer buffer;
    std::size_t bytes;
    void* at;
  };

  void add(cl_context context, cl_uint number, const OpenClArgument& argument) {
    cl_int code = CL_SUCCESS;
    if (argument.kind == OpenClArgument::Kind::buffer) {
      Buffer buffer(
          clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, argument.bytes, argument.data, &code));
      check(code, "to use memory");
      const cl_mem handle = buffer.get();
      check(clSetKernelArg(kernel_.get(), number, sizeof(handle), &handle), "to set an argument");
      buffers_.push_back({std::move(buffer), argument.bytes, nullptr});
    } else {
      check(clSetKernelArg(kernel_.get(), number, argument.bytes, argument.data), "to set an argument");
    }
  }

  cl_command_queue queue_;
  OpenClLaunch launch_;
  Program program_;
  KernelObject kernel_;
  std::vector<Mapped> buffers_;
};

class PoclDevice : public OpenClDevice {
 public:
  PoclDevice(cl_platform_id platform, cl_device_id device) : device_(device) {
    char version[256] = {};
    clGetPlatformInfo(platform, CL_PLATFORM_VERSION, sizeof(version) - 1, version, nullptr);
    version_ = version;
    cl_int code = CL_SUCCESS;
    context_ = Context(clCreateContext(nullptr, 1, &device_, nullptr, nullptr, &code));
    check(code, "to make a context");
    queue_ = Queue(clCreateCommandQueue(context_.get(), device_, 0, &code));
    check(code, "to make a queue");
  }

  std::string name() const override { return version_; }

  std::vector<std::string> methods() const override {
    std::vector<std::string> all = {"loopvec", "loops", "workitemrepl"};
    const auto at = version_.find("PoCL ");
    const bool since_4 = at != std::string::npos && std::atoi(version_.c_str() + at + 5) >= 4;
    if (since_4) all.push_back("cbs");
    return all;
  }

  std::unique_ptr<OpenClKernel> compile(const OpenClLaunch& launch, const std::string& method) override {
    setenv("POCL_WORK_GROUP_METHOD", method.c_str(), 1);
    return std::make_unique<PoclKernel>(context_.get(), device_, queue_.get(), launch, method);
  }

 private:
  std::string version_;
  cl_device_id device_;
  Context context_;
  Queue queue_;
};

}  // namespace

std::unique_ptr<OpenClDevice> open_cl_device(int threads) {
  const std::string count = fmt::format("{}", threads);
  setenv("POCL_MAX_PTHREAD_COUNT", count.c_str(), 1);
  setenv("POCL_CPU_MAX_CU_COUNT", count.c_str(), 1);  // its name since PoCL 5
  cl_platform_id platforms[16];
  cl_uint found = 0;
  if (clGetPlatformIDs(16, platforms, &found) != CL_SUCCESS) return nullptr;
  for (cl_uint n = 0; n < found && n < 16; ++n) {
    char name[256] = {};
    clGetPlatformInfo(platforms[n], CL_PLATFORM_NAME, sizeof(name) - 1, name, nullptr);
    cl_device_id device = nullptr;
    if (std::string(name) == "Portable Computing Language" &&
        clGetDeviceIDs(platforms[n], CL_DEVICE_TYPE_CPU, 1, &device, nullptr) == CL_SUCCESS) {
      return std::make_unique<PoclDevice>(platforms[n], device);
    }
  }
  return nullptr;
}

}  // namespace trellis::bench::spmd
