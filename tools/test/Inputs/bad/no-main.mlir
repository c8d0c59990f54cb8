func.func @start() {
  return
}
