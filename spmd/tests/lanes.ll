; SPDX-FileCopyrightText: The Trellis authors
; SPDX-License-Identifier: Apache-2.0
; A loop inside a work-item: lanes of work-items run side by side in it.
; OPTIONS: -mcpu=x86-64-v4 -passes=trellis-spmd -pass-remarks=trellis-spmd -pass-remarks-missed=trellis-spmd -pass-remarks-analysis=trellis-spmd

; CHECK: work-items run in lanes of {{.*}} inside of their loops
; CHECK-LABEL: @kernel
; CHECK: fmul <{{[0-9]+}} x float>
target triple = "x86_64-unknown-linux-gnu"
define void @kernel(ptr noalias %in, ptr noalias %out, i64 %n, i64 %turns) nounwind {
entry:
  call void @trellis_spmd_begin(i32 1, i32 2, i32 1, i64 %n, i64 1, i64 1)
  %id = call i64 @trellis_spmd_local_id(i32 0)
  %at = getelementptr float, ptr %in, i64 %id
  %own = load float, ptr %at
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %up, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %next, %loop ]
  %place = getelementptr float, ptr %in, i64 %i
  %other = load float, ptr %place
  %product = fmul float %own, %other
  %next = fadd float %sum, %product
  %up = add i64 %i, 1
  %more = icmp ult i64 %up, %turns
  br i1 %more, label %loop, label %done
done:
  %to = getelementptr float, ptr %out, i64 %id
  store float %next, ptr %to
  ret void
}

declare void @trellis_spmd_begin(i32, i32, i32, i64, i64, i64) nounwind
declare i64 @trellis_spmd_local_id(i32) nounwind willreturn memory(none)
declare void @trellis_spmd_barrier() convergent nounwind
