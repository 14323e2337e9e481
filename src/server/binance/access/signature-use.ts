/**
 * Which signatures have opened which endpoint. A signature of this wire names neither method nor path: one
 * text may be valid at several endpoints. Therefore a signature that opened a reading endpoint opens none
 * that changes something until its window closes, and one that changed something is valid only for that
 * endpoint. A repeat of the same request is accepted, since honest clients send it after a lost answer.
 *
 * These signatures are stored with the nonces: one store for all gateways, where each account has its share.
 */
import type { ApiKey } from '../../../core/registry/records.ts'
import type { TimeMs } from '../../../units/quantities.ts'
import { nonceRefusal } from '../../access/auth/freshness.ts'
import type { NonceStore } from '../../access/auth/nonces.ts'
import type { Refusal } from '../../common/refusal.ts'
import type { RequestWindow } from '../../trading/call.ts'
import type { WireRow } from '../endpoints/row.ts'
import { addressOf } from '../endpoints/table.ts'

/** The common name of all endpoints that read. */
const READING = 'READING'
/** 32 bytes. */
const HEX_LENGTH = 64

export type SignatureUse = {
  readonly key: Pick<ApiKey, 'apiKey' | 'accountId'>
  /** Valid, in hexadecimal or base64. */
  readonly signature: string
  /** The result of `openedBy`; for a request that is not an endpoint, its name. */
  readonly opens: string
  readonly window: RequestWindow
  readonly now: TimeMs
}

export function openedBy(row: WireRow): string {
  return row.security === 'TRADE' ? addressOf(row) : READING
}

/**
 * The reason why the endpoint does not accept the signature; undefined if it does. Rejects with
 * `EngineFault`.
 */
export async function useSignature(
  nonces: NonceStore,
  { key: { apiKey, accountId }, signature, opens, window, now }: SignatureUse,
): Promise<Refusal | undefined> {
  const { sentAt: timestamp, until: acceptableUntil } = window
  const nonce = spelled(signature)
  const verdict = await nonces.take({ apiKey, accountId, nonce, opens, timestamp, acceptableUntil, now })
  return nonceRefusal(verdict, timestamp, acceptableUntil, now)
}

/**
 * The canonical spelling of a signature: hexadecimal in any case and base64 are the same bytes, and an
 * eavesdropper can convert one into the other.
 */
function spelled(signature: string): string {
  return signature.length === HEX_LENGTH
    ? signature.toLowerCase()
    : Buffer.from(signature, 'base64').toString('hex')
}
