// tool: rings; place: src/engine/violation-dynamic.ts; says: dynamic-import
export const wrong = import('../core/commands/command.ts')
