// tool: rings; place: src/server/public/violation-driver.ts; says: ring-import
import type { violation } from '../../storage/violation-target.ts'

export type Wrong = violation
