; SPDX-FileCopyrightText: The Trellis authors
; SPDX-License-Identifier: Apache-2.0
; A matrix product: lanes of several rows at once, loading what these share once for all rows.
; OPTIONS: -mcpu=x86-64-v4 -passes=trellis-spmd -pass-remarks=trellis-spmd

; CHECK: work-items of several rows run in lanes together: 2 x 32, 4 x 16, 8 x 8
; CHECK-LABEL: @kernel
; CHECK: load <32 x double>
; CHECK: shufflevector <32 x double> {{.*}} <64 x i32> <i32 0, i32 1,
; CHECK: fadd <64 x double>
target triple = "x86_64-unknown-linux-gnu"
define void @kernel(ptr noalias %a, ptr noalias %b, ptr noalias %c, i64 %nx, i64 %ny, i64 %turns) nounwind "prefer-vector-width"="512" {
entry:
  call void @trellis_spmd_begin(i32 1, i32 2, i32 2, i64 %nx, i64 %ny, i64 1)
  %x = call i64 @trellis_spmd_local_id(i32 0)
  %y = call i64 @trellis_spmd_local_id(i32 1)
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %up, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %next, %loop ]
  %row = mul nsw i64 %y, 64
  %at = add nsw i64 %row, %k
  %own = getelementptr double, ptr %a, i64 %at
  %left = load double, ptr %own
  %line = mul nsw i64 %k, 64
  %column = add nsw i64 %line, %x
  %other = getelementptr double, ptr %b, i64 %column
  %right = load double, ptr %other
  %product = fmul double %left, %right
  %next = fadd double %sum, %product
  %up = add i64 %k, 1
  %more = icmp ult i64 %up, %turns
  br i1 %more, label %loop, label %done
done:
  %first = mul nsw i64 %y, 64
  %place = add nsw i64 %first, %x
  %to = getelementptr double, ptr %c, i64 %place
  store double %next, ptr %to
  ret void
}

declare void @trellis_spmd_begin(i32, i32, i32, i64, i64, i64) nounwind
declare i64 @trellis_spmd_local_id(i32) nounwind willreturn memory(none)
declare void @trellis_spmd_barrier() convergent nounwind
