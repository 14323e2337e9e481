// tool: biome; place: src/gateway/violation-any.ts; says: noExplicitAny
export const wrong: any = 1
