/** An answer about updates of accounts, made by whatever store has them: bounded, and whole updates only. */

import type { AccountId, OrderNumber } from '../units/ids.ts'
import { invariant } from '../units/invariant.ts'
import type { Seq } from '../units/quantities.ts'
import { partsOf, UPDATE_ACCOUNTS_MAX, UPDATE_PARTS_MAX, UPDATES_KEPT_COMMANDS } from './account-updates.ts'
import type { HistoryOrder } from './order-history.ts'
import type { AccountUpdate, AccountUpdates, StoredUpdate, UpdatesAfter, UpdatesAnswer } from './ports.ts'

export type UpdateSource = {
  /** Those of an account after a command, oldest first, up to and including command `upTo`. It need not give all that there are. */
  readonly after: (
    accountId: AccountId,
    after: Seq,
  ) => { readonly updates: readonly StoredUpdate[]; readonly upTo: Seq }
  readonly ordersOf: (orderNumbers: readonly OrderNumber[]) => readonly HistoryOrder[]
}

/** `seq`: where history stands. An account whose turn does not come is answered with nothing, up to where it was. */
export function answerUpdates(
  accounts: readonly UpdatesAfter[],
  seq: Seq,
  source: UpdateSource,
): readonly UpdatesAnswer[] {
  invariant(
    accounts.length <= UPDATE_ACCOUNTS_MAX,
    () => `expected at most ${UPDATE_ACCOUNTS_MAX} accounts, found ${accounts.length}`,
  )
  let parts = 0
  return accounts.map(({ accountId, after }) => {
    if (after < seq - UPDATES_KEPT_COMMANDS) return 'TOO_OLD'
    if (after >= seq || parts >= UPDATE_PARTS_MAX) return { updates: [], upTo: after }
    const found = source.after(accountId, after)
    const taken: StoredUpdate[] = []
    for (const update of found.updates) {
      if (parts >= UPDATE_PARTS_MAX) break
      parts += partsOf(update)
      taken.push(update)
    }
    const isAll = taken.length === found.updates.length
    const upTo = isAll ? found.upTo : (taken.at(-1)?.seq ?? after)
    return { updates: withOrders(taken, source), upTo } satisfies AccountUpdates
  })
}

function withOrders(updates: readonly StoredUpdate[], { ordersOf }: UpdateSource): AccountUpdate[] {
  return updates.map((update) => {
    if (update.ended.length === 0) return { ...update, ended: [] }
    const ended = ordersOf(update.ended)
    invariant(
      ended.length === update.ended.length,
      () => `command ${update.seq} has ended ${update.ended.length} orders, history has ${ended.length}`,
    )
    return { ...update, ended }
  })
}
