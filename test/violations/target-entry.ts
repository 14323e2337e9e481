// tool: none; place: src/server/order-entry/violation-target.ts; says: nothing
export type violation = 1
