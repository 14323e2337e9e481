// tool: none; place: src/gateway/description/violation-target.ts; says: nothing
export type violation = 1
