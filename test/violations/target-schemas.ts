// tool: none; place: src/wire/schemas/violation-target.ts; says: nothing
export type violation = 1
