# SPDX-FileCopyrightText: The Trellis authors
# SPDX-License-Identifier: Apache-2.0
"""DLPack: the memory of the links is shared, not copied."""

import gc
import weakref

import numpy as np
import pytest

import trellis


@pytest.fixture
def links():
    return trellis.GaugeField.random(trellis.Lattice((4, 4, 4, 8)), seed=9)


def address(array):
    return array.__array_interface__["data"][0]


def test_addresses_are_the_same(links):
    assert links.__dlpack_device__() == (1, 0)
    first, second = np.from_dlpack(links), np.from_dlpack(links)
    assert address(first) == address(second) == address(links.native())
    assert first.shape == links.native().shape == (512 // links.lattice.lanes, 4, 3, 3, 2, links.lattice.lanes)
    assert first.dtype == np.float64


def test_native_sites_say_where_numbers_are(links):
    sites = links.lattice.native_sites()
    assert sorted(sites.ravel()) == list(range(512))
    native = np.moveaxis(links.native(), -1, 1)  # [tile][lane][mu][row][column][re, im]
    found = np.empty((512, 4, 3, 3), dtype=complex)
    found[sites] = native[..., 0] + 1j * native[..., 1]
    assert np.array_equal(found.reshape(8, 4, 4, 4, 4, 3, 3), links.as_numpy())


def test_writing_through_another_library_changes_the_field(links):
    native = links.native()  # numpy reads DLPack arrays only
    trace = links.link_trace()
    native *= -1
    links.exchange()
    assert links.link_trace() == -trace


def test_memory_outlives_the_field(links):
    u = trellis.GaugeField.random(links.lattice, seed=10)
    array, native, copy = np.from_dlpack(u), u.native(), u.copy()
    del u
    gc.collect()
    others = [trellis.GaugeField.unit(links.lattice) for _ in range(5)]  # would take freed memory
    assert np.array_equal(array, copy.native()) and np.array_equal(native, copy.native())
    assert others[0].plaquette() == 1


class Wrapped:
    """An object that can only speak DLPack."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, stream=None):
        return self.array.__dlpack__()

    def __dlpack_device__(self):
        return (1, 0)


def test_from_dlpack_copies(links):
    array = np.array(links.native())
    other = trellis.GaugeField.unit(links.lattice)
    other.from_dlpack(Wrapped(array))
    assert np.array_equal(other.as_numpy(), links.as_numpy())
    assert not np.shares_memory(array, other.native())
    other.from_dlpack(links)  # a field speaks it as well
    alive = weakref.ref(array)
    del array
    gc.collect()
    assert alive() is None  # the tensor was given back


def test_other_arrays_are_refused(links):
    native = np.array(links.native())
    with pytest.raises(ValueError, match="native shape"):
        links.from_dlpack(native[:-1])
    with pytest.raises(ValueError, match="stride"):
        links.from_dlpack(np.asfortranarray(native))
    with pytest.raises(TypeError, match="64-bit"):
        links.from_dlpack(native.astype(np.float32))
    with pytest.raises(TypeError, match="__dlpack__"):
        links.from_dlpack([1, 2, 3])
