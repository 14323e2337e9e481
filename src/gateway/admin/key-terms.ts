/** From where and until when a key or a token opens, as operators write it. */
import type { TimeMs } from '../../units/quantities.ts'
import { parseAddressRange } from '../access/auth/address.ts'
import { type AdminContext, invalid } from './context.ts'

const NEVER = 0 as TimeMs

export function checkAddresses(addresses: readonly string[]): void {
  for (const [index, address] of addresses.entries()) {
    if (parseAddressRange(address) !== undefined) continue
    const expected = `expected an address or a range such as 10.0.0.0/8, found ${address}`
    throw invalid(`addresses.${index}`, expected)
  }
}

/** A time in the future; an empty text is never, undefined is not named. */
export function expiryOf({ now }: AdminContext, text: string | undefined): TimeMs | undefined {
  if (text === undefined) return undefined
  if (text === '') return NEVER
  const time = Date.parse(text)
  if (!/^\d{4}-\d{2}-\d{2}/.test(text) || Number.isNaN(time)) {
    throw invalid('expiresAt', `expected a time such as 2027-01-31T00:00:00Z, found ${text}`)
  }
  if (time <= now()) throw invalid('expiresAt', `expected a time in the future, found ${text}`)
  return time as TimeMs
}
