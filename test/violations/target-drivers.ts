// tool: none; place: src/storage/violation-target.ts; says: nothing
export type violation = 1
