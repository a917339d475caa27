; SPDX-FileCopyrightText: The Trellis authors
; SPDX-License-Identifier: Apache-2.0
; Stack memory whose size is only known at run time, allocated anew in each iteration of a loop with a barrier: it does not
; live across the barrier, though nothing marks its end. Each work-item releases it.

; CHECK-LABEL: define void @kernel
; CHECK-NOT: call void @trellis_spmd_barrier
; CHECK: call ptr @llvm.stacksave
; CHECK: alloca i64, i64
; CHECK: call void @llvm.stackrestore
define void @kernel(ptr %a, i64 %n, i64 %turns) nounwind {
entry:
  call void @trellis_spmd_begin(i32 1, i32 2, i32 1, i64 %n, i64 1, i64 1)
  %id = call i64 @trellis_spmd_local_id(i32 0)
  %at = getelementptr i64, ptr %a, i64 %id
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %size = load i64, ptr %at
  %memory = alloca i64, i64 %size
  %last = getelementptr i64, ptr %memory, i64 %k
  store volatile i64 %k, ptr %last
  %x = load volatile i64, ptr %memory
  call void @trellis_spmd_barrier()
  store i64 %x, ptr %at
  %next = add i64 %k, 1
  %more = icmp ult i64 %next, %turns
  br i1 %more, label %loop, label %done
done:
  ret void
}

declare void @trellis_spmd_begin(i32, i32, i32, i64, i64, i64) nounwind
declare i64 @trellis_spmd_local_id(i32) nounwind willreturn memory(none)
declare void @trellis_spmd_barrier() convergent nounwind
