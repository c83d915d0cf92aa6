begin fork; join 3; fork w(); spawn w; fork { skip }; join(w) atomic { fork w } end
|| thread { skip } || thread w skip || thread 3 { } || 2 * thread v { skip }
