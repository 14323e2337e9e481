// tool: none; place: src/server/stream/violation-target.ts; says: nothing
export type violation = 1
