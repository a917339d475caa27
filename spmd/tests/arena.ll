; SPDX-FileCopyrightText: The Trellis authors
; SPDX-License-Identifier: Apache-2.0
; Private memory of a group that is too large for the stack comes from the thread's arena.

; CHECK-LABEL: @kernel
; CHECK: icmp ugt i64 {{.*}}, 65536
; CHECK: call ptr @trellis_spmd_arena(i64
define void @kernel(ptr %out, i64 %n, i64 %k, i64 %j) nounwind {
  %numbers = alloca [1000 x i32], align 16
  call void @trellis_spmd_begin(i32 1, i32 2, i32 1, i64 %n, i64 1, i64 1)
  %id = call i64 @trellis_spmd_local_id(i32 0)
  %place = getelementptr i32, ptr %numbers, i64 %k
  %short = trunc i64 %id to i32
  store i32 %short, ptr %place
  call void @trellis_spmd_barrier()
  %later = getelementptr i32, ptr %numbers, i64 %j
  %value = load i32, ptr %later
  %to = getelementptr i32, ptr %out, i64 %id
  store i32 %value, ptr %to
  ret void
}

declare void @trellis_spmd_begin(i32, i32, i32, i64, i64, i64) nounwind
declare i64 @trellis_spmd_local_id(i32) nounwind willreturn memory(none)
declare void @trellis_spmd_barrier() convergent nounwind
