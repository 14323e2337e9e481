// tool: compiler; place: src/engine/violation.ts; says: TS6307
import type { violation } from '../storage/violation-target.ts'
export type Wrong = violation
