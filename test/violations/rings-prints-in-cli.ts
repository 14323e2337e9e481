// tool: rings; place: src/cli/violation-prints.ts; says: printing
process.stdout.write('\u001b[2K')
