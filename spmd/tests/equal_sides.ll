; SPDX-FileCopyrightText: The Trellis authors
; SPDX-License-Identifier: Apache-2.0
; What both sides of a branch on ids compute alike is uniform after it.
; OPTIONS: -passes=trellis-spmd -pass-remarks=trellis-spmd

; CHECK: 0 values and 0 variables replicated (0 bytes per work-item)
define void @kernel(ptr %in, ptr %out, i64 %n, i64 %offset) nounwind {
entry:
  call void @trellis_spmd_begin(i32 1, i32 2, i32 1, i64 %n, i64 1, i64 1)
  %id = call i64 @trellis_spmd_local_id(i32 0)
  %at = getelementptr i64, ptr %out, i64 %id
  %low = icmp ult i64 %id, 2
  br i1 %low, label %first, label %second
first:
  %a = mul i64 %offset, 12
  %from = getelementptr i8, ptr %in, i64 %a
  %one = load i64, ptr %from
  store i64 %one, ptr %at
  br label %both
second:
  %b = mul i64 %offset, 12
  %other = getelementptr i8, ptr %in, i64 %b
  %two = load i64, ptr %other
  %three = add i64 %two, 3
  store i64 %three, ptr %at
  br label %both
both:
  %address = phi ptr [ %from, %first ], [ %other, %second ]
  call void @trellis_spmd_barrier()
  %value = load i64, ptr %address
  store i64 %value, ptr %at
  ret void
}

declare void @trellis_spmd_begin(i32, i32, i32, i64, i64, i64) nounwind
declare i64 @trellis_spmd_local_id(i32) nounwind willreturn memory(none)
declare void @trellis_spmd_barrier() convergent nounwind
