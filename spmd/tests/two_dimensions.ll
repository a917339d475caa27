; SPDX-FileCopyrightText: The Trellis authors
; SPDX-License-Identifier: Apache-2.0
; Two nested loops; no division of a linear id.

; CHECK-LABEL: @kernel
; CHECK: phi i64
; CHECK: phi i64
; CHECK-NOT: {{udiv|urem}}
; CHECK: store i64
; CHECK-NOT: {{udiv|urem}}
; CHECK: declare
define void @kernel(ptr %out, i64 %nx, i64 %ny) nounwind {
  call void @trellis_spmd_begin(i32 1, i32 2, i32 2, i64 %nx, i64 %ny, i64 1)
  %x = call i64 @trellis_spmd_local_id(i32 0)
  %y = call i64 @trellis_spmd_local_id(i32 1)
  call void @trellis_spmd_barrier()
  %row = mul i64 %x, %ny
  %place = add i64 %row, %y
  %to = getelementptr i64, ptr %out, i64 %place
  store i64 %x, ptr %to
  ret void
}

declare void @trellis_spmd_begin(i32, i32, i32, i64, i64, i64) nounwind
declare i64 @trellis_spmd_local_id(i32) nounwind willreturn memory(none)
declare void @trellis_spmd_barrier() convergent nounwind
