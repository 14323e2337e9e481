// tool: biome; place: src/drivers/violation-environment.ts; says: noProcessEnv
export const wrong = process.env.HOME
