// tool: rings; place: src/gateway/description/violation-clock.ts; says: ambient
export const wrong = Date.now()
