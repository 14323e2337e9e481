// tool: rings; place: src/contract/violation-code.ts; says: makes-code
export const wrong = new Function('value', 'return value')
