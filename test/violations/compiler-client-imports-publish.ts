// tool: compiler; place: src/client/violation-schemas.ts; says: TS6307
import type { violation } from '../contract/publish/violation-target.ts'
export type Wrong = violation
