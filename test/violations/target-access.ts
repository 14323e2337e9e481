// tool: none; place: src/gateway/access/violation-target.ts; says: nothing
export type violation = 1
