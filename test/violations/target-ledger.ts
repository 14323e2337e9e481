// tool: none; place: src/core/ledger/violation-target.ts; says: nothing
export type violation = 1
