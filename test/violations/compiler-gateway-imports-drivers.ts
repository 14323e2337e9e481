// tool: compiler; place: src/server/public/violation.ts; says: TS6307
import type { violation } from '../../storage/violation-target.ts'
export type Wrong = violation
