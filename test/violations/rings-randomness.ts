// tool: rings; place: src/core/ledger/violation-random.ts; says: ambient
export const wrong = Math.random()
