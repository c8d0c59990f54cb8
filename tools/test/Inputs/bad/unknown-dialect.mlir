func.func @main() {
  nowhere.op
  return
}
