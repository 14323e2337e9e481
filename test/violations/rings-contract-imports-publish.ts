// tool: rings; place: src/contract/violation-schemas.ts; says: ring-import
import type { violation } from './publish/violation-target.ts'
export type Wrong = violation
