// The main thread fills a table, forks two workers, and adds up what they have done once they have ended.
//
// fill and sum are atomic without a lock: nobody works before the fork, and nobody any more after the join. round is
// not: the workers do their part in between.
// ask: --deadlock: holds
// expect: violated
// expect-block: fill: atomic
// expect-block: work: atomic
// expect-block: sum: atomic
// expect-block: round: violated
int A[2], B[2], SUM;

begin:round
  begin:fill A[0] := 1; A[1] := 2 end;
  fork left; fork right;
  join left; join right;
  begin:sum s := B[0]; SUM := s + B[1] end
end
||
thread left { begin:work a := A[0]; B[0] := a * a end }
||
thread right { a := A[1]; B[1] := a * a }
