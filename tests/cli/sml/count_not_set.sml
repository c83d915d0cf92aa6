// run: -D Clients=3
CLIENTS * { begin skip end }
|| begin skip end
