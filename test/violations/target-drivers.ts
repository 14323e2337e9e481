// tool: none; place: src/drivers/violation-target.ts; says: nothing
export type violation = 1
