// tool: biome; place: src/gateway/public/violation-console.ts; says: noConsole
console.info('secret')
