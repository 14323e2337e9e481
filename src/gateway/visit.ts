/** One request, as far as it has come through the door. */
import type { TimeMs } from '../units/quantities.ts'
import type { RequestHeaders } from './http/request-headers.ts'
import type { Target } from './http/target.ts'
import type { AddressUse } from './limits/address-limits.ts'

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
