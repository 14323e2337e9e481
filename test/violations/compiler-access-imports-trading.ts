// tool: compiler; place: src/server/access/violation.ts; says: TS6307
import type { violation } from '../trading/violation-target.ts'
export type Wrong = violation
