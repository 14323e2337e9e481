/**
 * Withdrawals and deposits of the account (docs/reference/withdrawals.md#lists). Pending withdrawals are read
 * from the engine; ended withdrawals and deposits from the account's events in history.
 */

import {
  DEPOSITS_READ,
  orAbsent,
  type ShownDeposit,
  type ShownWithdrawal,
  unitsOf,
  WITHDRAWALS_READ,
} from '../../../../contract/api/withdrawals.ts'
import type { SuccessHeads } from '../../../../contract/envelope.ts'
import { PAGE_END, pageHead, placeEnd } from '../../../../contract/pages.ts'
import type { Withdrawal } from '../../../../core/ledger/withdrawals.ts'
import type { FactKind, NumberedEvent } from '../../../../engine/history/numbered-events.ts'
import { invariant } from '../../../../units/invariant.ts'
import { WITHDRAWAL_CANCELERS } from '../../../../units/operator-enums.ts'
import { UNITS_MAX } from '../../../../units/quantities.ts'
import type { RegistryView } from '../../../../views/registry.ts'
import { readWholeNumber } from '../../../common/read.ts'
import { Refusal } from '../../../common/refusal.ts'
import type { Answer, Call } from '../../call.ts'
import { operationOf } from '../../operation.ts'
import { readCoin } from '../../withdrawal-parameters.ts'

const LIMIT = { min: 1, max: 100, fallback: 50 }

export const withdrawalHistory = operationOf('withdrawalHistory', withdrawalsAnswer)

export const depositHistory = operationOf('depositHistory', depositsAnswer)

/** Waiting withdrawals precede those that have ended, on the first page only. */
async function withdrawalsAnswer(call: Call): Promise<Answer> {
  const asked = readPage(call)
  if (asked instanceof Refusal) return asked
  const { accountId, services } = call
  const { registry } = services.market
  const { withdrawals, held } =
    asked.before === undefined ? await services.engine.ask('accountWithdrawals', { accountId }) : NOTHING
  const waiting = [...withdrawals, ...held]
    .filter(({ state, assetId }) => state === 'PENDING' && isOf(asked, registry.asset(assetId)?.code))
    .toSorted((a, b) => b.requestedAt - a.requestedAt)
    .map((one) => shownWithdrawal(one, registry))
  const { events, next } = await ended(call, asked, ENDS)
  return pageOf(call, WITHDRAWALS_READ, 'withdrawals', [...waiting, ...events.map(endedWithdrawal)], next)
}

async function depositsAnswer(call: Call): Promise<Answer> {
  const asked = readPage(call)
  if (asked instanceof Refusal) return asked
  const { events, next } = await ended(call, asked, ['CREDIT'])
  return pageOf(call, DEPOSITS_READ, 'deposits', events.map(shownDeposit), next)
}

const NOTHING = { withdrawals: [], held: [] }
const ENDS: readonly FactKind[] = ['WITHDRAWAL_COMPLETED', 'WITHDRAWAL_CANCELED']

type Page = { readonly coin: string | undefined; readonly before: number | undefined; readonly limit: number }

function readPage(call: Call): Page | Refusal {
  const { parameters } = call
  const asset = readCoin(call)
  if (asset instanceof Refusal) return asset
  const limit = readWholeNumber(parameters, 'limit', LIMIT)
  if (limit instanceof Refusal) return limit
  const before = readWholeNumber(parameters, 'before', { min: 1, max: UNITS_MAX, fallback: 0 })
  if (before instanceof Refusal) return before
  return { coin: asset?.code, before: before === 0 ? undefined : before, limit }
}

/** The account's events about the coin; those about other coins count toward the page. */
async function ended({ accountId, services }: Call, page: Page, kinds: readonly FactKind[]) {
  const { before, limit } = page
  const query = { before, kinds, accountId, limit, atLeast: services.market.seq }
  const { events, next } = await services.history.pastEvents(query)
  return { events: events.filter(({ fields }) => isOf(page, textOf(fields.asset))), next }
}

function isOf({ coin }: Page, code: string | undefined): boolean {
  return coin === undefined || coin === code
}

function pageOf(
  { language }: Call,
  heads: SuccessHeads,
  name: string,
  rows: readonly object[],
  next: number | undefined,
): string {
  const end = next === undefined ? PAGE_END : placeEnd(`${next}`)
  return pageHead(heads, language, name) + rows.map((row) => JSON.stringify(row)).join(',') + end
}

/** The end of a withdrawal, from its event in history. */
function endedWithdrawal({ kind, time, fields }: NumberedEvent): ShownWithdrawal {
  const canceledBy = textOf(fields.canceledBy)
  return {
    id: textOf(fields.reference) ?? '',
    withdrawOrderId: textOf(fields.withdrawOrderId),
    coin: textOf(fields.asset) ?? '',
    amount: textOf(fields.amount) ?? '',
    address: textOf(fields.address),
    addressTag: textOf(fields.tag),
    status: kind === 'WITHDRAWAL_COMPLETED' ? 'COMPLETED' : 'CANCELED',
    canceledBy: WITHDRAWAL_CANCELERS.find((word) => word === canceledBy),
    reason: textOf(fields.reason),
    createdAt: numberOf(fields.askedAt),
    claimedAt: numberOf(fields.claimedAt),
    endedAt: time,
  }
}

function shownDeposit({ time, fields }: NumberedEvent): ShownDeposit {
  const { reference, asset, amount } = fields
  return { id: textOf(reference) ?? '', coin: textOf(asset) ?? '', amount: textOf(amount) ?? '', time }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}

/** A pending withdrawal; one held by an operator counts as claimed from the start. */
function shownWithdrawal(withdrawal: Withdrawal, registry: RegistryView): ShownWithdrawal {
  const { reference, assetId, amount, requestedAt, asked } = withdrawal
  const asset = registry.asset(assetId)
  invariant(asset !== undefined, () => `a withdrawal has asset ${assetId}, which is not listed`)
  return {
    id: reference,
    withdrawOrderId: asked?.withdrawOrderId,
    coin: asset.code,
    amount: unitsOf(amount, asset),
    address: asked?.address,
    addressTag: orAbsent(asked?.tag ?? ''),
    status: asked === undefined || asked.claimedAt !== undefined ? 'CLAIMED' : 'WAITING',
    createdAt: requestedAt,
    claimedAt: asked?.claimedAt,
  }
}
