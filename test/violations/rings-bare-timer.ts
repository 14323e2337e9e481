// tool: rings; place: src/app/node/violation-timer.ts; says: bare-timer
export const wrong = (look: () => void): unknown => setInterval(() => look(), 1_000)
