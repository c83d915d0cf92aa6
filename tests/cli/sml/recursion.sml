proc a { skip; call b }
proc b { if (nondet) { call a } else { call c } }
proc c { call c }
begin call a end
