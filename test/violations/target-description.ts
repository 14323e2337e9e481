// tool: none; place: src/server/description/violation-target.ts; says: nothing
export type violation = 1
