// tool: rings; place: src/wire/violation-locale.ts; says: ambient
export const wrong = (1.5).toLocaleString()
