// The functions of the math dialect on f64. Input is in (-1, 1.3), or near it where a function needs another range.

func.func @main() {
  %n1 = arith.constant 1 : index
  %n4 = arith.constant 4 : index
  %h0 = memref.alloc() : memref<4x26xf64>
  %h1 = memref.alloc() : memref<4xf64>
  %i0 = arith.constant 0 : index
  %v0 = arith.constant -0.375 : f64
  memref.store %v0, %h1[%i0] : memref<4xf64>
  %i1 = arith.constant 1 : index
  %v1 = arith.constant 0.25 : f64
  memref.store %v1, %h1[%i1] : memref<4xf64>
  %i2 = arith.constant 2 : index
  %v2 = arith.constant 0.0 : f64
  memref.store %v2, %h1[%i2] : memref<4xf64>
  %i3 = arith.constant 3 : index
  %v3 = arith.constant 0.625 : f64
  memref.store %v3, %h1[%i3] : memref<4xf64>
  %o0, %allocated0 = agpu.alloc [] () : memref<4x26xf64>
  %sent0 = agpu.memcpy [%allocated0] (%o0, %h0) : memref<4x26xf64>, memref<4x26xf64>
  %o1, %allocated1 = agpu.alloc [] () : memref<4xf64>
  %sent1 = agpu.memcpy [%allocated1] (%o1, %h1) : memref<4xf64>, memref<4xf64>
  %ran = agpu.launch [%sent0, %sent1]
      blocks(%bx, %by, %bz) in (%gx = %n1, %gy = %n1, %gz = %n1)
      threads(%tx, %ty, %tz) in (%sx = %n4, %sy = %n1, %sz = %n1) {
    %v = memref.load %o1[%tx] : memref<4xf64>
    %two = arith.constant 2.0 : f64
    %k = arith.constant 3 : i32
    %a = arith.addf %v, %v : f64
    %b = arith.addf %a, %two : f64
    %c = arith.divf %a, %two : f64
    %c0 = arith.constant 0 : index
    %r0 = math.exp %a : f64
    memref.store %r0, %o0[%tx, %c0] : memref<4x26xf64>
    %c1 = arith.constant 1 : index
    %r1 = math.exp2 %a : f64
    memref.store %r1, %o0[%tx, %c1] : memref<4x26xf64>
    %c2 = arith.constant 2 : index
    %r2 = math.log %b : f64
    memref.store %r2, %o0[%tx, %c2] : memref<4x26xf64>
    %c3 = arith.constant 3 : index
    %r3 = math.log2 %b : f64
    memref.store %r3, %o0[%tx, %c3] : memref<4x26xf64>
    %c4 = arith.constant 4 : index
    %r4 = math.log10 %b : f64
    memref.store %r4, %o0[%tx, %c4] : memref<4x26xf64>
    %c5 = arith.constant 5 : index
    %r5 = math.log1p %b : f64
    memref.store %r5, %o0[%tx, %c5] : memref<4x26xf64>
    %c6 = arith.constant 6 : index
    %r6 = math.expm1 %a : f64
    memref.store %r6, %o0[%tx, %c6] : memref<4x26xf64>
    %c7 = arith.constant 7 : index
    %r7 = math.sin %a : f64
    memref.store %r7, %o0[%tx, %c7] : memref<4x26xf64>
    %c8 = arith.constant 8 : index
    %r8 = math.cos %a : f64
    memref.store %r8, %o0[%tx, %c8] : memref<4x26xf64>
    %c9 = arith.constant 9 : index
    %r9 = math.tan %a : f64
    memref.store %r9, %o0[%tx, %c9] : memref<4x26xf64>
    %c10 = arith.constant 10 : index
    %r10 = math.tanh %a : f64
    memref.store %r10, %o0[%tx, %c10] : memref<4x26xf64>
    %c11 = arith.constant 11 : index
    %r11 = math.sinh %a : f64
    memref.store %r11, %o0[%tx, %c11] : memref<4x26xf64>
    %c12 = arith.constant 12 : index
    %r12 = math.cosh %a : f64
    memref.store %r12, %o0[%tx, %c12] : memref<4x26xf64>
    %c13 = arith.constant 13 : index
    %r13 = math.atan %a : f64
    memref.store %r13, %o0[%tx, %c13] : memref<4x26xf64>
    %c14 = arith.constant 14 : index
    %r14 = math.atan2 %a, %b : f64
    memref.store %r14, %o0[%tx, %c14] : memref<4x26xf64>
    %c15 = arith.constant 15 : index
    %r15 = math.powf %b, %a : f64
    memref.store %r15, %o0[%tx, %c15] : memref<4x26xf64>
    %c16 = arith.constant 16 : index
    %r16 = math.sqrt %b : f64
    memref.store %r16, %o0[%tx, %c16] : memref<4x26xf64>
    %c17 = arith.constant 17 : index
    %r17 = math.rsqrt %b : f64
    memref.store %r17, %o0[%tx, %c17] : memref<4x26xf64>
    %c18 = arith.constant 18 : index
    %r18 = math.cbrt %b : f64
    memref.store %r18, %o0[%tx, %c18] : memref<4x26xf64>
    %c19 = arith.constant 19 : index
    %r19 = math.erf %a : f64
    memref.store %r19, %o0[%tx, %c19] : memref<4x26xf64>
    %c20 = arith.constant 20 : index
    %r20 = math.asin %c : f64
    memref.store %r20, %o0[%tx, %c20] : memref<4x26xf64>
    %c21 = arith.constant 21 : index
    %r21 = math.acos %c : f64
    memref.store %r21, %o0[%tx, %c21] : memref<4x26xf64>
    %c22 = arith.constant 22 : index
    %r22 = math.asinh %a : f64
    memref.store %r22, %o0[%tx, %c22] : memref<4x26xf64>
    %c23 = arith.constant 23 : index
    %r23 = math.acosh %b : f64
    memref.store %r23, %o0[%tx, %c23] : memref<4x26xf64>
    %c24 = arith.constant 24 : index
    %r24 = math.atanh %c : f64
    memref.store %r24, %o0[%tx, %c24] : memref<4x26xf64>
    %c25 = arith.constant 25 : index
    %r25 = math.fpowi %b, %k : f64, i32
    memref.store %r25, %o0[%tx, %c25] : memref<4x26xf64>
    agpu.terminator
  }
  %copied0 = agpu.memcpy [%ran] (%h0, %o0) : memref<4x26xf64>, memref<4x26xf64>
  %freed0 = agpu.dealloc [%copied0] %o0 : memref<4x26xf64>
  %copied1 = agpu.memcpy [%ran] (%h1, %o1) : memref<4xf64>, memref<4xf64>
  %freed1 = agpu.dealloc [%copied1] %o1 : memref<4xf64>
  agpu.wait [%freed0, %freed1]
  agpu.expect %h0, dense<[[0.4723665527410147, 0.5946035575013605, 0.22314355131420976, 0.32192809488736235,
      0.09691001300805642, 0.8109302162163288, -0.5276334472589853, -0.6816387600233341, 0.7316888688738209,
      -0.9315964599440725, -0.6351489523872873, -0.82231673193583, 1.2946832846768448, -0.6435011087932844,
      -0.5404195002705842, 0.8458970107524513, 1.118033988749895, 0.8944271909999159, 1.077217345015942,
      -0.7111556336535151, -0.3843967744956391, 1.9551931012905357, -0.6931471805599453, 0.6931471805599453,
      -0.3942286801821351, 1.953125], [1.6487212707001282, 1.4142135623730951, 0.9162907318741551, 1.3219280948873624,
      0.3979400086720376, 1.252762968495368, 0.6487212707001282, 0.479425538604203, 0.8775825618903728,
      0.5463024898437905, 0.46211715726000974, 0.5210953054937474, 1.1276259652063807, 0.4636476090008061,
      0.19739555984988075, 1.5811388300841898, 1.5811388300841898, 0.6324555320336759, 1.3572088082974532,
      0.5204998778130465, 0.25268025514207865, 1.318116071652818, 0.48121182505960347, 1.566799236972411,
      0.25541281188299536, 15.625], [1.0, 1.0, 0.6931471805599453, 1.0, 0.3010299956639812, 1.0986122886681096, 0.0,
      0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.4142135623730951, 0.7071067811865475, 1.2599210498948732, 0.0,
      0.0, 1.5707963267948966, 0.0, 1.3169578969248166, 0.0, 8.0], [3.4903429574618414, 2.378414230005442,
      1.1786549963416462, 1.7004397181410922, 0.5118833609788744, 1.4469189829363254, 2.4903429574618414,
      0.9489846193555862, 0.3153223623952687, 3.0095696738628313, 0.8482836399575129, 1.6019190803008256,
      1.8884238771610158, 0.8960553845713439, 0.3671738338182192, 4.363693123209306, 1.8027756377319946,
      0.5547001962252291, 1.4812480342036851, 0.9229001282564582, 0.6751315329370317, 0.895664793857865,
      1.0475930126492587, 1.8472460857138377, 0.7331685343967136, 34.328125]]
      > : tensor<4x26xf64> tolerance 1.0e-11 : memref<4x26xf64>
  agpu.expect %h1, dense<[-0.375, 0.25, 0.0, 0.625]> : tensor<4xf64> : memref<4xf64>
  memref.dealloc %h0 : memref<4x26xf64>
  memref.dealloc %h1 : memref<4xf64>
  return
}
