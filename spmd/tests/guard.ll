; SPDX-FileCopyrightText: The Trellis authors
; SPDX-License-Identifier: Apache-2.0
; A guard on the id around a whole region becomes a bound of its loop.
; OPTIONS: -passes=trellis-spmd -pass-remarks=trellis-spmd -pass-remarks-missed=trellis-spmd -pass-remarks-analysis=trellis-spmd

; CHECK-LABEL: @kernel
; CHECK: call i64 @llvm.umin.i64(
; CHECK-NOT: icmp ult i64 {{.*}}%k
; CHECK: ret void
define void @kernel(ptr %tree, i64 %n, i64 %k) nounwind {
entry:
  call void @trellis_spmd_begin(i32 1, i32 2, i32 1, i64 %n, i64 1, i64 1)
  %id = call i64 @trellis_spmd_local_id(i32 0)
  call void @trellis_spmd_barrier()
  %low = icmp ult i64 %id, %k
  br i1 %low, label %add, label %done
add:
  %own = getelementptr float, ptr %tree, i64 %id
  %far = add i64 %id, %k
  %other = getelementptr float, ptr %tree, i64 %far
  %a = load float, ptr %own
  %b = load float, ptr %other
  %sum = fadd float %a, %b
  store float %sum, ptr %own
  br label %done
done:
  ret void
}

declare void @trellis_spmd_begin(i32, i32, i32, i64, i64, i64) nounwind
declare i64 @trellis_spmd_local_id(i32) nounwind willreturn memory(none)
declare void @trellis_spmd_barrier() convergent nounwind
