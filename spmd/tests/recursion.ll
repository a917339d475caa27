; SPDX-FileCopyrightText: The Trellis authors
; SPDX-License-Identifier: Apache-2.0
; A barrier in a function that calls itself.
; REFUSED

; CHECK: kernel
; CHECK-SAME: calls itself
define internal void @again(i64 %k) nounwind {
  call void @trellis_spmd_barrier()
  %zero = icmp eq i64 %k, 0
  br i1 %zero, label %done, label %more
more:
  %less = sub i64 %k, 1
  call void @again(i64 %less)
  br label %done
done:
  ret void
}
define void @kernel(i64 %n, i64 %k) nounwind {
  call void @trellis_spmd_begin(i32 1, i32 2, i32 1, i64 %n, i64 1, i64 1)
  call void @again(i64 %k)
  ret void
}

declare void @trellis_spmd_begin(i32, i32, i32, i64, i64, i64) nounwind
declare i64 @trellis_spmd_local_id(i32) nounwind willreturn memory(none)
declare void @trellis_spmd_barrier() convergent nounwind
