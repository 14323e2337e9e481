// tool: biome; place: src/core/market/violation-timer.ts; says: noRestrictedGlobals
export const wrong = performance.now()
