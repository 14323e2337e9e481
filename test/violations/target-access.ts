// tool: none; place: src/server/access/violation-target.ts; says: nothing
export type violation = 1
