// tool: compiler; place: src/server/http/violation-schemas.ts; says: TS6307
import type { violation } from '../../contract/publish/violation-target.ts'
export type Wrong = violation
