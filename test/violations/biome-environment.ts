// tool: biome; place: src/storage/violation-environment.ts; says: noProcessEnv
export const wrong = process.env.HOME
