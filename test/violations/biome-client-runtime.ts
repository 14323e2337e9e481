// tool: biome; place: src/client/violation-runtime.ts; says: noRestrictedGlobals
export const wrong = setTimeout
