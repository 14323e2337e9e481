/**
 * The refusals caused by the sender: they count toward the limit of malformed requests, over any transport
 * (docs/reference/rate-limits.md).
 */

import { REASON_NAMES, REASONS, type Reason } from '../../../contract/reasons/catalogue.ts'
import { CORE_REASONS } from '../../../units/reasons.ts'

const CORE = new Set<string>(CORE_REASONS)

const MALFORMED: ReadonlySet<Reason> = new Set(
  REASON_NAMES.filter((reason) => !CORE.has(reason) && REASONS[reason].code !== '0014'),
)

export function isMalformed(reason: Reason): boolean {
  return MALFORMED.has(reason)
}
