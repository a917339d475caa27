; SPDX-FileCopyrightText: The Trellis authors
; SPDX-License-Identifier: Apache-2.0
; Fission: %part does not change in the inner loop, which work-items leave at different times. After it %part is still the
; same for all, and may decide whether a barrier follows.

; CHECK-LABEL: define void @kernel
; CHECK-NOT: call void @trellis_spmd_barrier
define void @kernel(ptr %a, i64 %n, i64 %turns, i64 %shift) nounwind {
entry:
  call void @trellis_spmd_begin(i32 1, i32 1, i32 1, i64 %n, i64 1, i64 1)
  %id = call i64 @trellis_spmd_local_id(i32 0)
  %at = getelementptr i64, ptr %a, i64 %id
  br label %outer
outer:
  %k = phi i64 [ 0, %entry ], [ %next, %latch ]
  br label %inner
inner:
  %i = phi i64 [ 0, %outer ], [ %up, %inner ]
  %part = lshr i64 %k, %shift
  %up = add i64 %i, %part
  %x = load volatile i64, ptr %at
  %more = icmp ult i64 %up, %x
  br i1 %more, label %inner, label %behind
behind:
  store volatile i64 %up, ptr %at
  %rest = urem i64 %part, 7
  %waits = icmp eq i64 %rest, 2
  br i1 %waits, label %wait, label %latch
wait:
  call void @trellis_spmd_barrier()
  br label %latch
latch:
  %next = add i64 %k, 1
  %again = icmp ult i64 %next, %turns
  br i1 %again, label %outer, label %done
done:
  ret void
}

declare void @trellis_spmd_begin(i32, i32, i32, i64, i64, i64) nounwind
declare i64 @trellis_spmd_local_id(i32) nounwind willreturn memory(none)
declare void @trellis_spmd_barrier() convergent nounwind
