// Structured control flow in a kernel: loops with carried values, a loop of unknown length, conditions with results,
// a switch.

func.func @main() {
  %n1 = arith.constant 1 : index
  %n8 = arith.constant 8 : index
  %h0 = memref.alloc() : memref<8x4xi32>
  %o0, %allocated0 = agpu.alloc [] () : memref<8x4xi32>
  %ran = agpu.launch [%allocated0]
      blocks(%bx, %by, %bz) in (%gx = %n1, %gy = %n1, %gz = %n1)
      threads(%tx, %ty, %tz) in (%sx = %n8, %sy = %n1, %sz = %n1) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %three = arith.constant 3 : i32
    %t32 = arith.index_cast %tx : index to i32
    %end = arith.addi %tx, %c1 : index

    // 0 + 1 + … + t
    %sum = scf.for %i = %c0 to %end step %c1 iter_args(%so_far = %zero) -> (i32) {
      %i32 = arith.index_cast %i : index to i32
      %next = arith.addi %so_far, %i32 : i32
      scf.yield %next : i32
    }
    memref.store %sum, %o0[%tx, %c0] : memref<8x4xi32>

    // Steps of the Collatz sequence of t + 1.
    %start = arith.addi %t32, %one : i32
    %last, %steps = scf.while (%n = %start, %count = %zero) : (i32, i32) -> (i32, i32) {
      %more = arith.cmpi ne, %n, %one : i32
      scf.condition(%more) %n, %count : i32, i32
    } do {
    ^bb0(%n: i32, %count: i32):
      %odd = arith.remui %n, %two : i32
      %is_odd = arith.cmpi ne, %odd, %zero : i32
      %next = scf.if %is_odd -> (i32) {
        %triple = arith.muli %n, %three : i32
        %r = arith.addi %triple, %one : i32
        scf.yield %r : i32
      } else {
        %r = arith.divui %n, %two : i32
        scf.yield %r : i32
      }
      %counted = arith.addi %count, %one : i32
      scf.yield %next, %counted : i32, i32
    }
    memref.store %steps, %o0[%tx, %c1] : memref<8x4xi32>

    %parity = arith.remui %t32, %two : i32
    %is_odd = arith.cmpi ne, %parity, %zero : i32
    %chosen = scf.if %is_odd -> (i32) {
      %r = arith.muli %t32, %two : i32
      scf.yield %r : i32
    } else {
      %r = arith.subi %zero, %t32 : i32
      scf.yield %r : i32
    }
    memref.store %chosen, %o0[%tx, %c2] : memref<8x4xi32>

    %switched = scf.index_switch %tx -> i32
    case 0 {
      %r = arith.constant 10 : i32
      scf.yield %r : i32
    }
    case 1 {
      %r = arith.constant 20 : i32
      scf.yield %r : i32
    }
    default {
      %r = arith.constant 30 : i32
      scf.yield %r : i32
    }
    memref.store %switched, %o0[%tx, %c3] : memref<8x4xi32>
    agpu.terminator
  }
  %copied0 = agpu.memcpy [%ran] (%h0, %o0) : memref<8x4xi32>, memref<8x4xi32>
  %freed0 = agpu.dealloc [%copied0] %o0 : memref<8x4xi32>
  agpu.wait [%freed0]
  agpu.expect %h0, dense<[[0, 0, 0, 10], [1, 1, 2, 20], [3, 7, -2, 30], [6, 2, 6, 30], [10, 5, -4, 30], [15, 8, 10,
      30], [21, 16, -6, 30], [28, 3, 14, 30]]> : tensor<8x4xi32> : memref<8x4xi32>
  memref.dealloc %h0 : memref<8x4xi32>
  return
}
