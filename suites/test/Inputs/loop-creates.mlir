// What no lowering may do: each of ROUNDS rounds makes a stream and an event and ends them.

llvm.func @mgpuStreamCreate() -> !llvm.ptr
llvm.func @mgpuStreamDestroy(!llvm.ptr)
llvm.func @mgpuEventCreate() -> !llvm.ptr
llvm.func @mgpuEventDestroy(!llvm.ptr)

func.func @main() {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : index
  %rounds = arith.constant ROUNDS : index
  scf.for %i = %c0 to %rounds step %one {
    %stream = llvm.call @mgpuStreamCreate() : () -> !llvm.ptr
    %event = llvm.call @mgpuEventCreate() : () -> !llvm.ptr
    llvm.call @mgpuEventDestroy(%event) : (!llvm.ptr) -> ()
    llvm.call @mgpuStreamDestroy(%stream) : (!llvm.ptr) -> ()
  }
  return
}
