// tool: biome; place: src/server/public/violation-console.ts; says: noConsole
console.info('secret')
