proc a { skip; call b }
proc b { if (x) { call a } else { call c } }
proc c { call c }
begin call a end
