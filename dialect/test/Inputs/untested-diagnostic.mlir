// expected-error @below {{argument 3 is tested}}
