/** The type of order that was chosen last, as this browser keeps it. */
import type { OrderType } from '../../../client/interface/words.ts'
import { browserEntry, type Entry, type EntryPorts } from './browser-entry.ts'
import { LEG_TYPES, LEGS, type ListKind } from './list-draft.ts'

const KINDS: readonly string[] = [...LEG_TYPES.next, ...Object.keys(LEGS)]

export function kindEntry(ports: EntryPorts): Entry<OrderType | ListKind> {
  return browserEntry(ports, 'bourse-order-type', (kept) =>
    typeof kept === 'string' && KINDS.includes(kept) ? (kept as OrderType | ListKind) : 'LIMIT',
  )
}
