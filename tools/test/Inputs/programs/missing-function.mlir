// Calls a function that nobody has.

func.func @main() {
  call @nobody_has_this() : () -> ()
  return
}

func.func private @nobody_has_this()
