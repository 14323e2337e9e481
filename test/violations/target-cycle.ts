// tool: none; place: src/units/violation-cycle-back.ts; says: nothing
import type { Forth } from './violation-cycle.ts'

export type Back = { readonly forth: Forth | undefined }
