begin skip end || 1000000000 * { skip } || 5 * { skip }
