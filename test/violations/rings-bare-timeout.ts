// tool: rings; place: src/server/access/violation-timeout.ts; says: bare-timer
export const wrong = (look: () => void): unknown => setTimeout(look, 1_000)
