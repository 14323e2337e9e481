// tool: biome; place: src/server/description/violation-runtime.ts; says: noRestrictedGlobals
export const wrong = Bun.version
