// tool: rings; place: src/core/ledger/violation-cast.ts; says: money-cast
import type { Amount } from '../../units/quantities.ts'

export const wrong = 5n as Amount
