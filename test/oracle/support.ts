/**
 * Operators' notes about an account and the special terms that they set for a time, from
 * docs/reference/admin.md#labels-and-customer-ids and docs/reference/admin.md#special-terms.
 */
import { DONE, type Reply, refused } from '../../src/core/questions/reply.ts'
import type { Account, TradingSymbol } from '../../src/core/registry/records.ts'
import type { AccountId } from '../../src/units/ids.ts'
import { RATE_ONE, UNITS_MAX } from '../../src/units/quantities.ts'
import { type Administered, type Emit, isText, type Of, stripped } from './administered.ts'

const ORDER_TIMES_MOST = 10_000
const WORD = /^[a-z0-9._-]{1,32}$/
const CUSTOMER_ID = /^([A-Za-z0-9._@:/+-]{1,64})?$/
const LABELS_MOST = 16
const FIELDS_MOST = 8

export function setProfile(state: Administered, command: Of<'SetAccountProfile'>, emit: Emit): Reply {
  const { accountId, customerId, labels, fields, remark } = command
  const before = state.accounts[accountId]
  if (before === undefined) return refused('UNKNOWN_ACCOUNT')
  const names = fields.map(({ name }) => name)
  const isRight =
    before.role === 'trader' &&
    CUSTOMER_ID.test(customerId) &&
    areSorted(labels, LABELS_MOST) &&
    areSorted(names, FIELDS_MOST) &&
    fields.every(({ value }) => isText(value, 1)) &&
    isText(remark, 0)
  if (!isRight) return refused('INVALID_COMMAND')
  const isTaken = state.accounts.some(
    ({ id, profile }) => id !== accountId && customerId !== '' && profile?.customerId === customerId,
  )
  if (isTaken) return refused('CUSTOMER_ID_TAKEN')
  const isNothing = [customerId, remark].join('') === '' && [...labels, ...fields].length === 0
  const profile = isNothing ? undefined : { customerId, labels, fields, remark }
  return changed(state, stripped({ ...before, profile }) as Account, emit)
}

/** Each word must occur once, in ascending order. */
function areSorted(words: readonly string[], most: number): boolean {
  const sorted = [...new Set(words)].sort()
  return words.length <= most && words.every((word, i) => WORD.test(word) && word === sorted[i])
}

export function setSpecialTerms(state: Administered, command: Of<'SetSpecialTerms'>, emit: Emit): Reply {
  const { accountId, rates, openOrders, orderRate } = command
  const before = state.accounts[accountId]
  if (before === undefined) return refused('UNKNOWN_ACCOUNT')
  if (before.role !== 'trader') return refused('INVALID_COMMAND')
  if (before.isClosed) return refused('ACCOUNT_CLOSED')
  const isAhead = (until: number) => until === 0 || (until > state.time && until <= UNITS_MAX)
  const isTimes = (times: number) => times >= 1 && times <= ORDER_TIMES_MOST
  const isRate = (rate: number) => rate >= 0 && rate < RATE_ONE
  const isRight =
    (rates === undefined || ([rates.makerRate, rates.takerRate].every(isRate) && isAhead(rates.until))) &&
    (openOrders === undefined || (openOrders.max >= 1 && isAhead(openOrders.until))) &&
    (orderRate === undefined || (isTimes(orderRate.times) && isAhead(orderRate.until)))
  if (!isRight) return refused('INVALID_COMMAND')
  const given = stripped({ rates, openOrders, orderRate })
  const special = Object.keys(given).length === 0 ? undefined : given
  return changed(state, stripped({ ...before, special }) as Account, emit)
}

function changed(state: Administered, account: Account, emit: Emit): Reply {
  state.accounts[account.id] = account
  emit({ kind: 'AccountChanged', account })
  return DONE
}

type Now = Pick<Administered, 'accounts' | 'time'>

/** The special terms of an account now. They end at their end time. */
export function specialOf({ accounts, time }: Now, accountId: AccountId) {
  const { rates, openOrders } = accounts[accountId]?.special ?? {}
  const isOver = (until: number | undefined) => until !== undefined && until !== 0 && until <= time
  return {
    rates: isOver(rates?.until) ? undefined : rates,
    openOrders: isOver(openOrders?.until) ? undefined : openOrders,
  }
}

/** Largest number of open orders of an account in a symbol. */
export function mostOpenOf(now: Now, accountId: AccountId, symbol: TradingSymbol): number {
  const own = specialOf(now, accountId).openOrders?.max
  return own ?? now.accounts[accountId]?.openOrdersMax ?? symbol.openOrdersMax
}
