// tool: none; place: test/acceptance/violation-through-support.ts; says: nothing
import type { Wrong } from '../support/violation-program.ts'

export type Expected = Wrong
