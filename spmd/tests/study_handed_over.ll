; SPDX-FileCopyrightText: The Trellis authors
; SPDX-License-Identifier: Apache-2.0
; The same where fission may hand the kernel over.
; OPTIONS: -passes=trellis-spmd -pass-remarks=trellis-spmd -pass-remarks-missed=trellis-spmd -pass-remarks-analysis=trellis-spmd

; CHECK: fission cannot split this kernel, continuations do
; CHECK: 1 barrier, 2 regions
define void @kernel(ptr %scratch, i64 %n, i64 %k) nounwind {
entry:
  call void @trellis_spmd_begin(i32 1, i32 3, i32 1, i64 %n, i64 1, i64 1)
  %id = call i64 @trellis_spmd_local_id(i32 0)
  %at = getelementptr i64, ptr %scratch, i64 %id
  %turns = add i64 %id, %k
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %up, %latch ]
  %old = load i64, ptr %at
  %new = add i64 %old, %i
  store i64 %new, ptr %at
  %all = icmp ult i64 %i, %k
  br i1 %all, label %wait, label %latch
wait:
  call void @trellis_spmd_barrier()
  br label %latch
latch:
  %up = add i64 %i, 1
  %more = icmp ult i64 %up, %turns
  br i1 %more, label %loop, label %done
done:
  ret void
}

declare void @trellis_spmd_begin(i32, i32, i32, i64, i64, i64) nounwind
declare i64 @trellis_spmd_local_id(i32) nounwind willreturn memory(none)
declare void @trellis_spmd_barrier() convergent nounwind
