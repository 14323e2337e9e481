// tool: biome; place: src/gateway/public/violation-any.ts; says: noExplicitAny
export const wrong: any = 1
