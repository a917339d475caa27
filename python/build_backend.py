# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
"""Builds the wheel for pip (PEP 517) with CMake, and nothing but the standard library.

The build is in build/python and is kept, so a second `pip install .` only compiles what has changed. Options of CMake go
into the environment, TRELLIS_CMAKE_ARGS="-DTRELLIS_BACKEND=cuda"; TRELLIS_PYTHON_BUILD names an existing build folder,
build/release for instance, from which the package is taken as it is.
"""

import base64
import hashlib
import os
import pathlib
import re
import shlex
import subprocess
import sys
import sysconfig
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def _version():
    return re.search(r"project\(Trellis VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())[1]


def _metadata():
    return (f"Metadata-Version: 2.1\nName: trellis-qcd\nVersion: {_version()}\n"
            "Summary: Lattice QCD: gauge ensembles, measurements and their analysis on numpy arrays\n"
            "License: Apache-2.0\nRequires-Python: >=3.11\nRequires-Dist: numpy\n")


def _tag():
    """cp311-cp311-linux_x86_64: this interpreter on this system."""
    interpreter = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{interpreter}-{interpreter}-{re.sub(r'[-.]', '_', sysconfig.get_platform())}"


def _wheel():
    return f"Wheel-Version: 1.0\nGenerator: trellis\nRoot-Is-Purelib: false\nTag: {_tag()}\n"


def _info():
    return f"trellis_qcd-{_version()}.dist-info"


def _module():
    """The file of the compiled module, _core.cpython-311-x86_64-linux-gnu.so: for this interpreter alone."""
    return f"_core{sysconfig.get_config_var('EXT_SUFFIX')}"


def _built_package():
    """Builds the package, unless a build folder is named, and returns its folder."""
    if existing := os.environ.get("TRELLIS_PYTHON_BUILD"):
        package = pathlib.Path(existing).resolve() / "python/trellis"
        if not (package / _module()).exists():
            raise SystemExit(f"{package}: there is no {_module()}; first cmake --build {existing} --target trellis_python, "
                             f"configured with -DPython_EXECUTABLE={sys.executable}")
        return package
    build = ROOT / "build/python"
    configure = ["cmake", "-S", ROOT, "-B", build, "-DTRELLIS_PYTHON=ON", "-DCMAKE_BUILD_TYPE=Release", "-DTRELLIS_TESTS=OFF",
                 "-DTRELLIS_KOKKOS=OFF", f"-DPython_EXECUTABLE={sys.executable}",
                 *shlex.split(os.environ.get("TRELLIS_CMAKE_ARGS", ""))]
    jobs = os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL", str(os.cpu_count()))
    # pip hides installed packages from builds by its PYTHONPATH: without it CMake finds numpy.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    for command in (configure, ["cmake", "--build", build, "--target", "trellis_python", "-j", jobs]):
        subprocess.run(command, check=True, env=environment)
    package = build / "python/trellis"
    if not (package / _module()).exists():  # CMake takes another interpreter if this one has no numpy
        raise SystemExit(f"{package}: there is no {_module()}: the module was built for another Python; install numpy for "
                         f"{sys.executable}")
    return package


def get_requires_for_build_wheel(config_settings=None):
    return []


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    folder = pathlib.Path(metadata_directory) / _info()
    folder.mkdir()
    (folder / "METADATA").write_text(_metadata())
    (folder / "WHEEL").write_text(_wheel())
    return folder.name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    package = _built_package()
    contents = {f"trellis/{file.relative_to(package)}": file.read_bytes() for file in sorted(package.rglob("*"))
                if file.is_file() and (file.suffix in (".py", ".pyi") or file.name == _module())}
    contents["trellis/py.typed"] = b""
    contents[f"{_info()}/METADATA"] = _metadata().encode()
    contents[f"{_info()}/WHEEL"] = _wheel().encode()
    contents[f"{_info()}/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    record = f"{_info()}/RECORD"
    lines = []
    for name, data in contents.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        lines.append(f"{name},sha256={digest},{len(data)}\n")
    contents[record] = ("".join(lines) + f"{record},,\n").encode()
    wheel = f"trellis_qcd-{_version()}-{_tag()}.whl"
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in contents.items():
            entry = zipfile.ZipInfo(name)
            entry.external_attr = (0o755 if name.endswith(".so") else 0o644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    return wheel
