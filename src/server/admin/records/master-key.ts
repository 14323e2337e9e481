/**
 * The rotation of the master key: a new key is stored, every secret is sealed again under it by journaled
 * commands, and only then is the old key removed. It is done in pieces and may be interrupted at any point:
 * another request continues it.
 */

import type { AdminRequests, AdminResults } from '../../../contract/admin/admin.ts'
import type { Operator } from '../../../core/commands/operator.ts'
import { FEES_ACCOUNT } from '../../../units/ids.ts'
import { sealingsOf } from '../../access/auth/key-ring.ts'
import { type AdminContext, AdminRequestError, type MasterKeyKeeper } from '../context.ts'
import { operatorOf, submit } from '../submit.ts'

export type ResealBounds = {
  /** Maximum number of secrets that one request seals again. */
  readonly resealedMax: number
  /** Maximum number of commands in flight at a time. */
  readonly underWayMax: number
}

/** A request with these bounds takes a few seconds. */
const BOUNDS: ResealBounds = { resealedMax: 5_000, underWayMax: 100 }
/** After this number of keys other work gets a turn: checking a key takes a few microseconds. */
const TURN_KEYS = 200

/** A sealed secret that is to be sealed again. */
type Stale = { readonly apiKey: string; readonly from: Uint8Array; readonly to: Uint8Array }

/**
 * The keepers with a rotation in progress: a second, concurrent one could retire a key that the first still
 * needs.
 */
const busy = new WeakSet<MasterKeyKeeper>()

export async function rotateMasterKey(
  context: AdminContext,
  request: AdminRequests['master-key/rotate'],
  bounds = BOUNDS,
): Promise<AdminResults['master-key/rotate']> {
  const { masterKeys } = context
  const operator = operatorOf(context, request)
  if (busy.has(masterKeys)) throw new AdminRequestError('ROTATION_UNDER_WAY')
  busy.add(masterKeys)
  try {
    masterKeys.begin()
    // All secrets sealed under the old key are in the views once a later request has been answered.
    await context.engine.ask('balances', { accountId: FEES_ACCOUNT })
    const { resealed, left } = await resealSome(context, operator, bounds)
    const ofWebhooks = (await context.webhooks?.find())?.reseal(masterKeys) ?? 0
    const removePrevious = left === 0 && masterKeys.retire()
    return { resealed: resealed + ofWebhooks, left, removePrevious }
  } finally {
    busy.delete(masterKeys)
  }
}

async function resealSome(
  context: AdminContext,
  operator: Operator,
  { resealedMax, underWayMax }: ResealBounds,
): Promise<{ readonly resealed: number; readonly left: number }> {
  let resealed = 0
  let left = 0
  let chunk: Stale[] = []
  const flush = async (): Promise<void> => {
    await Promise.all(chunk.map((stale) => submit(context, { kind: 'ResealSecret', operator, ...stale })))
    resealed += chunk.length
    chunk = []
  }
  let seen = 0
  for (const key of context.accounts.everyApiKey()) {
    for (const from of sealingsOf(key)) {
      const to = context.masterKeys.reseal(from, key.apiKey)
      if (to === undefined) continue
      if (resealed + chunk.length < resealedMax) chunk.push({ apiKey: key.apiKey, from, to })
      else left++
    }
    if (chunk.length >= underWayMax) await flush()
    if (++seen % TURN_KEYS === 0) await Bun.sleep(0)
  }
  await flush()
  return { resealed, left }
}
