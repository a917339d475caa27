; SPDX-FileCopyrightText: The Trellis authors
; SPDX-License-Identifier: Apache-2.0
; Without the analysis of uniform values a number that is the same for all is kept for each work-item.
; OPTIONS: -passes=trellis-spmd -pass-remarks=trellis-spmd -trellis-spmd-without=uniform

; CHECK: 2 barriers, 3 regions
; CHECK-SAME: : 0 uniform, 3 rebuilt, 0 rebuilt from a uniform base, 1 values and 0 variables replicated (8 bytes
; CHECK-LABEL: @kernel
define void @kernel(ptr noalias %in, ptr noalias %out, i64 %n) nounwind {
  call void @trellis_spmd_begin(i32 1, i32 2, i32 1, i64 %n, i64 1, i64 1)
  %id = call i64 @trellis_spmd_local_id(i32 0)
  %own = getelementptr i64, ptr %out, i64 %id
  store i64 %id, ptr %own
  call void @trellis_spmd_barrier()
  %shared = load i64, ptr %out
  %place = add i64 %shared, %id
  store i64 %place, ptr %own
  call void @trellis_spmd_barrier()
  %to = getelementptr i64, ptr %out, i64 %shared
  %behind = getelementptr i64, ptr %in, i64 %place
  %value = load i64, ptr %behind
  store i64 %value, ptr %to
  store i64 %value, ptr %own
  ret void
}

declare void @trellis_spmd_begin(i32, i32, i32, i64, i64, i64) nounwind
declare i64 @trellis_spmd_local_id(i32) nounwind willreturn memory(none)
declare void @trellis_spmd_barrier() convergent nounwind
