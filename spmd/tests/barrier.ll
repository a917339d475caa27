; SPDX-FileCopyrightText: The Trellis authors
; SPDX-License-Identifier: Apache-2.0
; A barrier in sequence: two loops over the group. The id is recomputed after it, the number is kept in an array.
; OPTIONS: -passes=trellis-spmd -pass-remarks=trellis-spmd -pass-remarks-missed=trellis-spmd -pass-remarks-analysis=trellis-spmd

; CHECK: 1 barrier, 2 regions
; CHECK-SAME: 1 values and 0 variables replicated (4 bytes per work-item)
; CHECK-LABEL: @kernel
; CHECK-NOT: @trellis_spmd_barrier()
; CHECK: load i32, ptr %from{{.*}}!llvm.access.group
; CHECK: store i32
; CHECK: br i1 {{.*}}!llvm.loop
; CHECK: store i32
; CHECK: br i1 {{.*}}!llvm.loop
; CHECK-NOT: !llvm.loop
; CHECK: declare
; CHECK-DAG: !"llvm.loop.parallel_accesses"
define void @kernel(ptr noalias %in, ptr noalias %out, i64 %n) nounwind {
  call void @trellis_spmd_begin(i32 1, i32 2, i32 1, i64 %n, i64 1, i64 1)
  %id = call i64 @trellis_spmd_local_id(i32 0)
  %from = getelementptr i32, ptr %in, i64 %id
  %value = load i32, ptr %from
  call void @trellis_spmd_barrier()
  %last = sub i64 %n, 1
  %mirrored = sub i64 %last, %id
  %to = getelementptr i32, ptr %out, i64 %mirrored
  store i32 %value, ptr %to
  ret void
}

declare void @trellis_spmd_begin(i32, i32, i32, i64, i64, i64) nounwind
declare i64 @trellis_spmd_local_id(i32) nounwind willreturn memory(none)
declare void @trellis_spmd_barrier() convergent nounwind
