// tool: rings; place: src/app/violation-outside.ts; says: outside
export { ROOT } from '../../tools/lib/setup.mjs'
