// tool: rings; place: src/views/violation-new-date.ts; says: ambient
export const right = new Date(0).toISOString()
export const wrong = new Date()
