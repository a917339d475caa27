; SPDX-FileCopyrightText: The Trellis authors
; SPDX-License-Identifier: Apache-2.0
; Atomics on memory of the group, static or sized at launch, are plain loads and stores; those on other memory stay.
; OPTIONS: -passes=trellis-spmd -pass-remarks=trellis-spmd

; CHECK: atomics on memory of the group need no lock: one thread runs it (2 of them)
; CHECK-LABEL: @kernel
; CHECK-NOT: trellis_spmd_launch_memory
; CHECK-NOT: cmpxchg ptr
; CHECK: atomicrmw add ptr %count.
define void @kernel(ptr %group, ptr %launch, ptr %values, ptr %counts, i64 %n) nounwind {
entry:
  %sized = call ptr @trellis_spmd_launch_memory(ptr %launch)
  call void @trellis_spmd_begin(i32 1, i32 2, i32 1, i64 %n, i64 1, i64 1)
  %bins = call ptr @trellis_spmd_local_memory(ptr %group, ptr @key, i64 256, i64 64)
  %id = call i64 @trellis_spmd_local_id(i32 0)
  call void @trellis_spmd_barrier()
  %at = getelementptr i64, ptr %values, i64 %id
  %value = load i64, ptr %at
  %bin = getelementptr i32, ptr %bins, i64 %value
  %before = atomicrmw add ptr %bin, i32 1 monotonic
  %other = getelementptr i32, ptr %sized, i64 %value
  %pair = cmpxchg ptr %other, i32 0, i32 %before monotonic monotonic
  %count = getelementptr i32, ptr %counts, i64 %value
  %global = atomicrmw add ptr %count, i32 1 monotonic
  call void @trellis_spmd_barrier()
  ret void
}

@key = external global i8
declare void @trellis_spmd_begin(i32, i32, i32, i64, i64, i64) nounwind
declare i64 @trellis_spmd_local_id(i32) nounwind willreturn memory(none)
declare void @trellis_spmd_barrier() convergent nounwind
declare ptr @trellis_spmd_local_memory(ptr, ptr, i64, i64) nounwind willreturn memory(none)
declare ptr @trellis_spmd_launch_memory(ptr) nounwind willreturn memory(none)
