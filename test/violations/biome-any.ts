// tool: biome; place: src/server/public/violation-any.ts; says: noExplicitAny
export const wrong: any = 1
