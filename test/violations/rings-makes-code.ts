// tool: rings; place: src/wire/violation-code.ts; says: makes-code
export const wrong = new Function('value', 'return value')
