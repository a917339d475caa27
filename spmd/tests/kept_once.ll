; SPDX-FileCopyrightText: The Trellis authors
; SPDX-License-Identifier: Apache-2.0
; Uniform values, and values a few operations away from these and from ids, are not replicated.
; OPTIONS: -passes=trellis-spmd -pass-remarks=trellis-spmd -pass-remarks-missed=trellis-spmd -pass-remarks-analysis=trellis-spmd

; CHECK: 1 barrier, 2 regions
; CHECK-SAME: 0 values and 0 variables replicated (0 bytes per work-item)
; CHECK-NOT: @trellis_spmd_arena
define void @kernel(ptr %in, ptr %out, i64 %n, i64 %offset) nounwind {
  call void @trellis_spmd_begin(i32 1, i32 2, i32 1, i64 %n, i64 1, i64 1)
  %id = call i64 @trellis_spmd_local_id(i32 0)
  %factor = load i64, ptr %in
  %place = add i64 %offset, %id
  %twice = mul i64 %factor, 2
  %first = getelementptr i64, ptr %out, i64 %place
  store i64 %twice, ptr %first
  call void @trellis_spmd_barrier()
  %shifted = add i64 %place, %twice
  %second = getelementptr i64, ptr %in, i64 %shifted
  store i64 %place, ptr %second
  ret void
}

declare void @trellis_spmd_begin(i32, i32, i32, i64, i64, i64) nounwind
declare i64 @trellis_spmd_local_id(i32) nounwind willreturn memory(none)
declare void @trellis_spmd_barrier() convergent nounwind
