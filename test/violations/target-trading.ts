// tool: none; place: src/server/trading/violation-target.ts; says: nothing
export type violation = 1
