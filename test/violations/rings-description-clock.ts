// tool: rings; place: src/server/description/violation-clock.ts; says: ambient
export const wrong = Date.now()
