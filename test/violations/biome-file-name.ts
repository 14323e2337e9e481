// tool: biome; place: src/units/ViolationName.ts; says: useFilenamingConvention
export const wrong = 1
