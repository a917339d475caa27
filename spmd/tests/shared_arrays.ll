; SPDX-FileCopyrightText: The Trellis authors
; SPDX-License-Identifier: Apache-2.0
; Replicated values that are never kept at the same time share an array: the sum in a loop with barriers needs only one,
; for the phi and for its incoming value.
; OPTIONS: -passes=trellis-spmd -pass-remarks=trellis-spmd

; CHECK: 2 values and 0 variables replicated (8 bytes per work-item)
define void @kernel(ptr %in, ptr %out, i64 %n, i64 %turns) nounwind {
entry:
  call void @trellis_spmd_begin(i32 1, i32 1, i32 1, i64 %n, i64 1, i64 1)
  %id = call i64 @trellis_spmd_local_id(i32 0)
  %at = getelementptr double, ptr %in, i64 %id
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %up, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %next, %loop ]
  call void @trellis_spmd_barrier()
  %own = load double, ptr %at
  %next = fadd double %sum, %own
  call void @trellis_spmd_barrier()
  store double %next, ptr %at
  %up = add i64 %k, 1
  %more = icmp ult i64 %up, %turns
  br i1 %more, label %loop, label %done
done:
  %to = getelementptr double, ptr %out, i64 %id
  store double %next, ptr %to
  ret void
}

declare void @trellis_spmd_begin(i32, i32, i32, i64, i64, i64) nounwind
declare i64 @trellis_spmd_local_id(i32) nounwind willreturn memory(none)
declare void @trellis_spmd_barrier() convergent nounwind
