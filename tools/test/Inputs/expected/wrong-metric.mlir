module attributes {agpu.expect_at_most = {streams = 1 : i64}} {
  func.func @main() {
    return
  }
}
