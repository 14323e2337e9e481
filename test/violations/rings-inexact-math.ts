// tool: rings; place: src/core/ledger/violation-pow.ts; says: ambient
export const wrong = Math.pow(10, 8)
