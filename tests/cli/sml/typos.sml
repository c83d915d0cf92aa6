// names that look like typos: legal, and often atomic without a word
int balance, BALANCE2; lock account; bool flag;
proc helper { shared := v; balance := shared }
proc other { z := v }
begin x := balanse end                // like a shared variable
|| begin count := 1; y := coutn end   // like a local of this thread
|| q := q + 1                         // assigned here: no warning
|| local int[2] me; balance := me     // declared: no warning
|| local int[2] one := 1; balance := one + on
|| v := 1; call helper; call other
|| call helper; call other            // here nothing assigns v
|| x := acconut                       // like the lock
|| x := nothing; y := nothing         // like nothing; told once
|| x := me                            // another thread's is not this one's
|| x := balanse
|| balanse := 3                       // assigned, and like a shared variable
|| balance1 := balance; balance3 := 1 // the first is a copy
|| Balance := 5; x := Balance
|| BALANSE2 := 5; x := BALANSE2
|| x := BALANCE2; while (flga) { flag := true }
|| x := ture
