// tool: rings; place: src/gateway/violation-no-room.ts; says: unknown-ring
export const wrong = 1
