// tool: biome; place: src/gateway/description/violation-runtime.ts; says: noRestrictedGlobals
export const wrong = Bun.version
