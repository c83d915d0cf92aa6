fast: ret
