// run: -DNN=2
int A[N]; bool B[M];
begin A[0] := 1 end || N * { A[1] := 1 }
