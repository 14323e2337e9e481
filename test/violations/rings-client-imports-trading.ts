// tool: rings; place: src/client/http/violation-trading.ts; says: ring-import
import type { violation } from '../../server/trading/violation-target.ts'
export type Wrong = violation
