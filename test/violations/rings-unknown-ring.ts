// tool: rings; place: src/helpers/violation.ts; says: unknown-ring
export const wrong = 1
