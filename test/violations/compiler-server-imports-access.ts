// tool: compiler; place: src/server/listener/violation.ts; says: TS6307
import type { violation } from '../access/violation-target.ts'
export type Wrong = violation
