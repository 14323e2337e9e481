// tool: rings; place: src/core/market/violation-clock.ts; says: ambient
export const wrong = Date.now()
