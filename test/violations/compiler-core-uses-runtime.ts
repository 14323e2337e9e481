// tool: compiler; place: src/core/market/violation-runtime.ts; says: TS2
export const wrong = Bun.nanoseconds() + process.pid
