// tool: none; place: src/gateway/trading/violation-target.ts; says: nothing
export type violation = 1
