// tool: rings; place: src/server/http/violation-description.ts; says: ring-import
import type { violation } from '../description/violation-target.ts'

export type Wrong = violation
