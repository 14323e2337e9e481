// tool: rings; place: src/units/violation-cycle.ts; says: import-cycle
import type { Back } from './violation-cycle-back.ts'

export type Forth = { readonly back: Back | undefined }
