// tool: rings; place: src/server/violation-no-room.ts; says: unknown-ring
export const wrong = 1
