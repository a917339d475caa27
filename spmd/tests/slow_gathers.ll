; SPDX-FileCopyrightText: The Trellis authors
; SPDX-License-Identifier: Apache-2.0
; In a kernel for a Zen core the optimiser is told not to gather, and masked lanes access dummy memory; in one for another
; core neither happens.

; CHECK-LABEL: @zen(
; CHECK-SAME: #[[ZEN:[0-9]+]]
; CHECK: select <{{[0-9]+}} x i1> {{.*}}, <{{[0-9]+}} x ptr>
; CHECK: @llvm.masked.gather{{.*}}<i1 true, i1 true
; CHECK-LABEL: @other(
; CHECK-SAME: #[[OTHER:[0-9]+]]
; CHECK: @llvm.masked.gather
; CHECK: attributes #[[ZEN]] = {{.*}}+prefer-no-gather,+prefer-no-scatter
; CHECK-NOT: attributes #[[OTHER]] = {{.*}}prefer-no
target triple = "x86_64-unknown-linux-gnu"
define void @zen(ptr noalias %in, ptr noalias %index, ptr noalias %out, i64 %n, i64 %turns) nounwind "target-cpu"="znver4" "target-features"="+avx512f,+avx512vl,+avx512dq,+avx512bw" {
entry:
  call void @trellis_spmd_begin(i32 1, i32 2, i32 1, i64 %n, i64 1, i64 1)
  %id = call i64 @trellis_spmd_local_id(i32 0)
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %up, %next ]
  %sum = phi float [ 0.0, %entry ], [ %more, %next ]
  %start = mul nsw i64 %k, %n
  %row = add nsw i64 %start, %id
  %from = getelementptr i64, ptr %index, i64 %row
  %where = load i64, ptr %from
  %wanted = icmp sgt i64 %where, 0
  br i1 %wanted, label %add, label %next
add:
  %place = getelementptr float, ptr %in, i64 %where
  %value = load float, ptr %place
  %a = fmul float %value, %value
  %b = fadd float %a, %value
  %c = fmul float %b, %value
  %d = fadd float %c, %sum
  br label %next
next:
  %more = phi float [ %d, %add ], [ %sum, %loop ]
  %up = add nuw nsw i64 %k, 1
  %again = icmp ult i64 %up, %turns
  br i1 %again, label %loop, label %done
done:
  %to = getelementptr float, ptr %out, i64 %id
  store float %more, ptr %to
  ret void
}
define void @other(ptr noalias %in, ptr noalias %index, ptr noalias %out, i64 %n, i64 %turns) nounwind "target-cpu"="skylake-avx512" "target-features"="+avx512f,+avx512vl,+avx512dq,+avx512bw" {
entry:
  call void @trellis_spmd_begin(i32 1, i32 2, i32 1, i64 %n, i64 1, i64 1)
  %id = call i64 @trellis_spmd_local_id(i32 0)
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %up, %next ]
  %sum = phi float [ 0.0, %entry ], [ %more, %next ]
  %start = mul nsw i64 %k, %n
  %row = add nsw i64 %start, %id
  %from = getelementptr i64, ptr %index, i64 %row
  %where = load i64, ptr %from
  %wanted = icmp sgt i64 %where, 0
  br i1 %wanted, label %add, label %next
add:
  %place = getelementptr float, ptr %in, i64 %where
  %value = load float, ptr %place
  %a = fmul float %value, %value
  %b = fadd float %a, %value
  %c = fmul float %b, %value
  %d = fadd float %c, %sum
  br label %next
next:
  %more = phi float [ %d, %add ], [ %sum, %loop ]
  %up = add nuw nsw i64 %k, 1
  %again = icmp ult i64 %up, %turns
  br i1 %again, label %loop, label %done
done:
  %to = getelementptr float, ptr %out, i64 %id
  store float %more, ptr %to
  ret void
}
declare void @trellis_spmd_begin(i32, i32, i32, i64, i64, i64) nounwind
declare i64 @trellis_spmd_local_id(i32) nounwind willreturn memory(none)
