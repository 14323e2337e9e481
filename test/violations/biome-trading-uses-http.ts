// tool: biome; place: src/server/trading/violation-http.ts; says: noRestrictedGlobals
export const wrong = new Response('')
