/** The API keys of a person: those of the exchange, with the names and addresses that only the store has. */
import type { AccountData } from '../../contract/customers/endpoints.ts'
import { type AccountRefusal, refused } from '../account-refusal.ts'
import type { CustomersContext } from '../customers-context.ts'
import type { ExchangeKey } from '../ports.ts'
import type { CustomerRequest } from '../sessions/customer-request.ts'
import type { OwnKeyDetails } from '../store/own-keys.ts'

/** A key whose creation was interrupted: its secret is lost. */
const NAMELESS: OwnKeyDetails = { name: '', addresses: [] }

/** Rejects with `ExchangeFault`. */
export async function listKeys(
  { store, exchange, world }: CustomersContext,
  { person }: CustomerRequest,
): Promise<AccountData<'keys'> | AccountRefusal> {
  if (person === undefined) return refused('SESSION_NEEDED', {})
  const nowMs = world.now()
  const keys = await exchange.keysOf(person.account)
  endRevoked(store, keys, nowMs)
  const rowByKey = new Map(store.ownKeys.of(person.owner).map((row) => [row.api_key, row]))
  return keys
    .filter((key) => isAlive(key, nowMs))
    .toSorted((one, other) => other.createdMs - one.createdMs)
    .map((key) => {
      const row = rowByKey.get(key.apiKey)
      const details = (row === undefined ? undefined : store.ownKeys.detailsOf(row)) ?? NAMELESS
      const { isEnabled, lastUsedMs } = key
      return {
        ...shownKey(key, details),
        isEnabled,
        ...(lastUsedMs === undefined ? {} : { lastUsedAt: lastUsedMs }),
      }
    })
}

/** Operators may have ended some keys: their rows end too, and are removed a day later. */
export function endRevoked(
  { ownKeys }: Pick<CustomersContext['store'], 'ownKeys'>,
  keys: readonly ExchangeKey[],
  nowMs: number,
): void {
  for (const { apiKey, isRevoked } of keys) if (isRevoked) ownKeys.end(apiKey, nowMs)
}

export function isAlive({ isRevoked, endsMs }: ExchangeKey, nowMs: number): boolean {
  return !isRevoked && (endsMs === undefined || endsMs > nowMs)
}

export function shownKey(key: ExchangeKey, { name, addresses }: OwnKeyDetails) {
  const { apiKey, kind, wire, permissions, createdMs, endsMs } = key
  return {
    ...{ apiKey, name, kind, wire, permissions, addresses, createdAt: createdMs },
    ...(endsMs === undefined ? {} : { endsAt: endsMs }),
  }
}
