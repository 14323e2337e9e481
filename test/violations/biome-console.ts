// tool: biome; place: src/gateway/violation-console.ts; says: noConsole
console.info('secret')
