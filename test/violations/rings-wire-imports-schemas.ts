// tool: rings; place: src/wire/violation-schemas.ts; says: ring-import
import type { violation } from './schemas/violation-target.ts'
export type Wrong = violation
