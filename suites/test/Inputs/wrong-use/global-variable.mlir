// A kernel writes to a variable of the host: it would get a copy.

memref.global "private" @counter : memref<1xi32> = dense<0>

func.func @main() {
  %one = arith.constant 1 : index
  %start = agpu.join []
  %ran = agpu.launch [%start] blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
                              threads(%tx, %ty, %tz) in (%sx = %one, %sy = %one, %sz = %one) {
    %counter = memref.get_global @counter : memref<1xi32>
    %seven = arith.constant 7 : i32
    memref.store %seven, %counter[%tx] : memref<1xi32>
    agpu.terminator
  }
  agpu.wait [%ran]
  return
}
