// tool: rings; place: src/server/trading/violation-unbounded-json.ts; says: unbounded-json
export const wrong = (text: string): unknown => JSON.parse(text)
