// what is wrong with threads that are forked
int X; lock l;
proc help { fork worker }
begin fork X; fork wroker; join help; join l; x := worker; worker := 1; call help end
|| thread worker { local bool worker; skip }
|| thread idle { fork := 1; join := fork } || thread X { } || thread worker { } || thread help { }
