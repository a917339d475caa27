# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
#
# From the root of the tree:
#   spack repo add packaging/spack
#   spack dev-build trellis@main            (or trellis@main +cuda cuda_arch=90)
# There is no archive to download, so `spack install` alone finds nothing. This file compiles as Python, but has not been
# run by Spack.
from spack.package import *


class Trellis(CMakePackage, CudaPackage):
    """Lattice QCD: generates SU(3) gauge ensembles by Monte Carlo, measures on them, and reads and writes the files
    that other lattice programs use. The same input gives the same numbers, bit for bit, on any processor."""

    license("Apache-2.0")

    version("main")

    variant("mpi", default=True, description="Jobs of several processes")
    variant("nccl", default=True, when="+cuda +mpi", description="Messages between GPUs with NCCL")
    variant("openmp", default=True, when="~cuda", description="Kernels on the threads of OpenMP")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("boost@1.74: +context")
    depends_on("cli11@2.1:")
    depends_on("fmt@9:")
    depends_on("hdf5 ~mpi")
    depends_on("hwloc@2:")
    depends_on("nlohmann-json@3.11:")
    depends_on("pugixml@1.13:")
    depends_on("random123@1.14:")
    depends_on("spdlog@1.10: +fmt_external")
    depends_on("tomlplusplus@3.3:")
    depends_on("zlib-api")
    depends_on("mpi", when="+mpi")
    depends_on("cuda@13:", when="+cuda")
    depends_on("nccl", when="+nccl")

    generator("ninja")
    conflicts("%gcc@:10", msg="Trellis needs g++ 11 or clang 16")
    conflicts("%clang@:15", msg="Trellis needs g++ 11 or clang 16")
    conflicts("cuda_arch=none", when="+cuda", msg="say cuda_arch=90, or what the GPU has")

    def cmake_args(self):
        backend = "cuda" if self.spec.satisfies("+cuda") else "openmp" if self.spec.satisfies("+openmp") else "serial"
        args = [
            self.define("TRELLIS_BACKEND", backend),
            # Spack's compilers add the target's -march themselves.
            self.define("TRELLIS_ARCH", ""),
            self.define("TRELLIS_MPI", "ON" if self.spec.satisfies("+mpi") else "OFF"),
            self.define("TRELLIS_HWLOC", "ON"),
            self.define("TRELLIS_KOKKOS", "OFF"),
            self.define("TRELLIS_SPMD", "OFF"),
            self.define("TRELLIS_PYTHON", "OFF"),
            self.define("TRELLIS_TESTS", self.run_tests),
        ]
        if self.spec.satisfies("+cuda"):
            args.append(self.define("CMAKE_CUDA_ARCHITECTURES", self.spec.variants["cuda_arch"].value))
            args.append(self.define("TRELLIS_NCCL", "ON" if self.spec.satisfies("+nccl") else "OFF"))
        return args

    def setup_run_environment(self, env):
        # Completions and pages are where shells look.
        env.prepend_path("MANPATH", self.prefix.share.man)

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def check_install(self):
        Executable(self.prefix.bin.trellis)("info")
