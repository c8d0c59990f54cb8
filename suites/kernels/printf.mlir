// What kernels print comes in the order of launches and threads. The program states nothing: its output is compared with
// that of `serial`, and suites/test/kernels-print.test says what that is.

func.func @main() {
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %start = agpu.join []
  %first = agpu.launch [%start] blocks(%bx, %by, %bz) in (%gx = %two, %gy = %one, %gz = %one)
                                threads(%tx, %ty, %tz) in (%sx = %two, %sy = %one, %sz = %one) {
    %b = arith.index_cast %bx : index to i32
    %t = arith.index_cast %tx : index to i32
    %f = arith.sitofp %t : i32 to f32
    %half = arith.constant 0.5 : f32
    %v = arith.addf %f, %half : f32
    gpu.printf "block %d thread %d has %.2f\n", %b, %t, %v : i32, i32, f32
    agpu.terminator
  }
  %second = agpu.launch [%first] blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one)
                                 threads(%tx, %ty, %tz) in (%sx = %one, %sy = %one, %sz = %one) {
    %large = arith.constant 5000000000 : i64
    %d = arith.constant -0.125 : f64
    gpu.printf "%lld and %g, 100%%\n", %large, %d : i64, f64
    agpu.terminator
  }
  agpu.wait [%second]
  return
}
