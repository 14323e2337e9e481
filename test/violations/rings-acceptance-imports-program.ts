// tool: rings; place: test/acceptance/violation-program.ts; says: second-opinion
import { TIME_IN_FORCE } from '../../src/units/violation-words.ts'

export const wrong = TIME_IN_FORCE
