// Never ends.

func.func @main() {
  cf.br ^again
^again:
  cf.br ^again
}
