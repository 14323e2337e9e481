// tool: none; place: src/gateway/entry/violation-target.ts; says: nothing
export type violation = 1
