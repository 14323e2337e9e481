// tool: rings; place: src/client/violation-clock.ts; says: ambient
export const wrong = Date.now()
