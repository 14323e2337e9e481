// tool: rings; place: src/views/violation-error-name.ts; says: error-name
export class Failure extends Error {}
