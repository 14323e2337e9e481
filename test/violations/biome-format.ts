// tool: biome; place: src/units/violation-format.ts; says: format
export const wrong = "double quotes";
