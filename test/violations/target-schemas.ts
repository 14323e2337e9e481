// tool: none; place: src/contract/publish/violation-target.ts; says: nothing
export type violation = 1
