// tool: rings; place: src/server/public/violation-driver.ts; says: ring-import
import type { violation } from '../../drivers/violation-target.ts'

export type Wrong = violation
