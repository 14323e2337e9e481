// tool: rings; place: src/app/sandbox/violation-prints.ts; says: printing
console.error('\u001b[2K')
