// tool: rings; place: src/contract/violation-locale.ts; says: ambient
export const wrong = (1.5).toLocaleString()
