// tool: compiler; place: src/server/stream/violation.ts; says: TS6307
import type { violation } from '../http/violation-target.ts'
export type Wrong = violation
