// tool: compiler; place: src/core/market/violation.ts; says: TS6307
import type { violation } from '../ledger/violation-target.ts'
export type Wrong = violation
