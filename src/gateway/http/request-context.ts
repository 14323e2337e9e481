/** One request, as far as it has come through the door. */
import type { TimeMs } from '../../units/quantities.ts'
import type { AddressUse } from '../access/limits/address-limits.ts'
import type { Target } from '../server/target.ts'
import type { RequestHeaders } from './request-headers.ts'

export type Visit = {
  readonly request: Request
  readonly headers: Readonly<RequestHeaders>
  readonly target: Target
  readonly address: string
  readonly limitKey: string
  readonly use: AddressUse
  readonly now: TimeMs
  readonly requestId: string
}
