func.func @main() {
  %x = arith.constant 1 : nonsense
  return
}
