// tool: none; place: src/gateway/http/violation-target.ts; says: nothing
export type violation = 1
