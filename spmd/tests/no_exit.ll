; SPDX-FileCopyrightText: The Trellis authors
; SPDX-License-Identifier: Apache-2.0
; A kernel that never ends, except for groups without work-items.

; CHECK-LABEL: define void @kernel
; CHECK: %[[EMPTY:[a-z0-9.]+]] = icmp eq i64 %n, 0
; CHECK: br i1 %[[EMPTY]], label %[[END:[a-z.]+]], label
; CHECK: [[END]]:
; CHECK-NEXT: ret void
; CHECK-NOT: call void @trellis_spmd_barrier
define void @kernel(ptr %a, i64 %n) nounwind {
entry:
  call void @trellis_spmd_begin(i32 1, i32 2, i32 1, i64 %n, i64 1, i64 1)
  %id = call i64 @trellis_spmd_local_id(i32 0)
  %at = getelementptr i64, ptr %a, i64 %id
  br label %loop
loop:
  %x = load volatile i64, ptr %at
  call void @trellis_spmd_barrier()
  store volatile i64 %x, ptr %at
  br label %loop
}

declare void @trellis_spmd_begin(i32, i32, i32, i64, i64, i64) nounwind
declare i64 @trellis_spmd_local_id(i32) nounwind willreturn memory(none)
declare void @trellis_spmd_barrier() convergent nounwind
