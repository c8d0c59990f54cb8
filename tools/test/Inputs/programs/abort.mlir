// Calls abort.

func.func @main() {
  call @abort() : () -> ()
  return
}

func.func private @abort()
