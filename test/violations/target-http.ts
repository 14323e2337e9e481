// tool: none; place: src/server/http/violation-target.ts; says: nothing
export type violation = 1
