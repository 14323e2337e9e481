// tool: rings; place: test/support/violation-program.ts; says: second-opinion
import type { PlacedBody } from '../../src/units/violation-words.ts'

export type Wrong = PlacedBody
