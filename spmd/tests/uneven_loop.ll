; SPDX-FileCopyrightText: The Trellis authors
; SPDX-License-Identifier: Apache-2.0
; Loops whose turns differ between work-items run in lanes under masks, as long as any lane has turns left: one that all
; enter, and one behind a guard whose index stays contiguous.
; OPTIONS: -mcpu=x86-64-v4 -passes=trellis-spmd -pass-remarks=trellis-spmd -pass-remarks-missed=trellis-spmd

; CHECK-NOT: one work-item after the other
; CHECK: work-items run in lanes of {{.*}} inside of their loops
; CHECK: work-items run in lanes of {{.*}} inside of their loops
; CHECK-NOT: one work-item after the other
; CHECK-LABEL: @everyone_enters
; CHECK: %[[ACTIVE:spmd.active[0-9]*]] = phi <16 x i1>
; CHECK: %[[ANY:.*]] = bitcast <16 x i1> %[[ACTIVE]] to i16
; CHECK: icmp eq i16 %[[ANY]], 0
; CHECK: select <16 x i1> %[[ACTIVE]]
; CHECK-NOT: trellis_spmd_any
target triple = "x86_64-unknown-linux-gnu"
define void @everyone_enters(ptr noalias %in, ptr noalias %out, i64 %n) nounwind {
entry:
  call void @trellis_spmd_begin(i32 1, i32 2, i32 1, i64 %n, i64 1, i64 1)
  %id = call i64 @trellis_spmd_local_id(i32 0)
  %at = getelementptr i32, ptr %in, i64 %id
  %own = load i32, ptr %at
  br label %loop
loop:
  %x = phi i32 [ %own, %entry ], [ %next, %loop ]
  %turns = phi i32 [ 0, %entry ], [ %up, %loop ]
  %up = add i32 %turns, 1
  %third = mul i32 %x, 3
  %next = lshr i32 %third, 2
  %more = icmp ugt i32 %next, 5
  br i1 %more, label %loop, label %done
done:
  %both = add i32 %up, %next
  %to = getelementptr i32, ptr %out, i64 %id
  store i32 %both, ptr %to
  ret void
}

; CHECK-LABEL: @some_enter
; CHECK: %[[ACTIVE:spmd.active[0-9]*]] = phi <16 x i1>
; CHECK: %[[ANY:.*]] = bitcast <16 x i1> %[[ACTIVE]] to i16
; CHECK: icmp eq i16 %[[ANY]], 0
; CHECK: @llvm.masked.load.v16f32.p0(ptr {{.*}}, <16 x i1> %[[ACTIVE]]
; CHECK-NOT: trellis_spmd_any
define void @some_enter(ptr noalias %in, ptr noalias %out, i64 %n, i64 %count, i64 %step) nounwind {
entry:
  call void @trellis_spmd_begin(i32 1, i32 2, i32 1, i64 %n, i64 1, i64 1)
  %id = call i64 @trellis_spmd_local_id(i32 0)
  %twice = mul i64 %id, %id
  %any = icmp slt i64 %twice, %count
  br i1 %any, label %loop, label %done
loop:
  %i = phi i64 [ %id, %entry ], [ %up, %loop ]
  %sum = phi float [ 1.0, %entry ], [ %next, %loop ]
  %place = getelementptr float, ptr %in, i64 %i
  %other = load float, ptr %place
  %next = fadd float %sum, %other
  %up = add i64 %i, %step
  %more = icmp slt i64 %up, %count
  br i1 %more, label %loop, label %done
done:
  %result = phi float [ 2.0, %entry ], [ %next, %loop ]
  %to = getelementptr float, ptr %out, i64 %id
  store float %result, ptr %to
  ret void
}

declare void @trellis_spmd_begin(i32, i32, i32, i64, i64, i64) nounwind
declare i64 @trellis_spmd_local_id(i32) nounwind willreturn memory(none)
declare void @trellis_spmd_barrier() convergent nounwind
