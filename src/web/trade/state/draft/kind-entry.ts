/** The last chosen type of order, as stored by this browser. */
import type { OrderType } from '../../../../client/interface/words.ts'
import { browserEntry, type Entry } from '../../../shared/browser-entry.ts'
import type { BrowserStorage } from '../../../shared/browser-storage.ts'
import { LEG_TYPES, LEGS, type ListKind } from './list-draft.ts'

const KINDS: readonly string[] = [...LEG_TYPES.next, ...Object.keys(LEGS)]

export function kindEntry(storage: BrowserStorage): Entry<OrderType | ListKind> {
  return browserEntry(storage, 'bourse-order-type', (kept) =>
    typeof kept === 'string' && KINDS.includes(kept) ? (kept as OrderType | ListKind) : 'LIMIT',
  )
}
