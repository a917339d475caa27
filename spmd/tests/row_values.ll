; SPDX-FileCopyrightText: The Trellis authors
; SPDX-License-Identifier: Apache-2.0
; A value that is the same for all work-items of a row is kept once per row, and read before the row's work-items change it.
; OPTIONS: -passes=trellis-spmd -pass-remarks=trellis-spmd

; CHECK: 1 kept once per row, 0 values and 0 variables replicated (0 bytes per work-item)
define void @kernel(ptr %in, ptr %out, i64 %nx, i64 %ny) nounwind {
  call void @trellis_spmd_begin(i32 1, i32 2, i32 2, i64 %nx, i64 %ny, i64 1)
  %x = call i64 @trellis_spmd_local_id(i32 0)
  %y = call i64 @trellis_spmd_local_id(i32 1)
  %at = getelementptr i64, ptr %in, i64 %y
  %neighbour = load i64, ptr %at
  %here = getelementptr i64, ptr %out, i64 %neighbour
  store i64 0, ptr %here
  call void @trellis_spmd_barrier()
  %place = add i64 %neighbour, %x
  %to = getelementptr i64, ptr %out, i64 %place
  store i64 %x, ptr %to
  ret void
}

declare void @trellis_spmd_begin(i32, i32, i32, i64, i64, i64) nounwind
declare i64 @trellis_spmd_local_id(i32) nounwind willreturn memory(none)
declare void @trellis_spmd_barrier() convergent nounwind
