// tool: none; place: src/gateway/stream/violation-target.ts; says: nothing
export type violation = 1
