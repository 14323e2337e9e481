/** From where and until when a key or a token opens, as operators write it. */
import type { TimeMs } from '../../../units/quantities.ts'
import { parseAddressRange } from '../../access/auth/address.ts'
import { type AdminContext, invalid } from '../context.ts'
import { futureTime } from '../future-time.ts'

const NEVER = 0 as TimeMs

export function checkAddresses(addresses: readonly string[]): void {
  for (const [index, address] of addresses.entries()) {
    if (parseAddressRange(address) !== undefined) continue
    const expected = `expected an address or a range such as 10.0.0.0/8, found ${address}`
    throw invalid(`addresses.${index}`, expected)
  }
}

/** A time in the future; an empty text is never, undefined is not named. */
export function expiryOf(context: AdminContext, text: string | undefined): TimeMs | undefined {
  if (text === undefined) return undefined
  return text === '' ? NEVER : futureTime(context, 'expiresAt', text)
}
