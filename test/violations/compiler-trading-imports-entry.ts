// tool: compiler; place: src/server/trading/violation-entry.ts; says: TS6307
import type { violation } from '../order-entry/violation-target.ts'
export type Wrong = violation
