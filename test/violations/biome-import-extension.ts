// tool: biome; place: src/units/violation-extension.ts; says: useImportExtensions
export { price } from './quantities'
