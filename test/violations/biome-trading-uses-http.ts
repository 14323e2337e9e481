// tool: biome; place: src/gateway/trading/violation-http.ts; says: noRestrictedGlobals
export const wrong = new Response('')
