/**
 * The operator's commands that move money: in from the outside world, out to it, and between the buckets of an
 * account. Each carries an external reference; a repeat with the same reference is done once.
 */
import { OUTSIDE_ACCOUNT } from '../../units/ids.ts'
import { AMOUNT_MAX, TEXT_MAX } from '../../units/limits.ts'
import { amount } from '../../units/quantities.ts'
import type { CoreReason } from '../../units/reasons.ts'
import type { Transfer } from '../ledger/references.ts'
import type { Asset } from '../registry/records.ts'
import type { Credit, Debit, MoveBetweenBuckets } from './command.ts'
import type { EventSink } from './event.ts'
import { DONE, type Reply, refused } from './reply.ts'
import type { ExchangeState } from './state.ts'

/** Credits or debits `free` of a trader's account. */
export function transfer(state: ExchangeState, command: Credit | Debit, emit: EventSink): Reply {
  const asset = state.registry.assetByCode(command.asset)
  if (asset === undefined) return refused('UNKNOWN_ASSET')
  const { accountId, reference } = command
  const isCredit = command.kind === 'Credit'
  const [from, to] = isCredit ? [OUTSIDE_ACCOUNT, accountId] : [accountId, OUTSIDE_ACCOUNT]
  const sum = command.amount
  const wanted: Transfer = { assetId: asset.id, from, fromBucket: 'free', to, toBucket: 'free', amount: sum }
  const reply = moveOnce(state, command, asset, wanted)
  if (reply === DONE) {
    const moved = isCredit ? sum : amount(-sum)
    emit({ kind: 'ExternalTransfer', accountId, assetId: asset.id, amount: moved, reference })
  }
  return reply
}

/** Moves money between `free`, `freeze` and `savings` of one account. */
export function moveBetweenBuckets(state: ExchangeState, command: MoveBetweenBuckets): Reply {
  const asset = state.registry.assetByCode(command.asset)
  if (asset === undefined) return refused('UNKNOWN_ASSET')
  const { accountId, from: fromBucket, to: toBucket } = command
  if (fromBucket === toBucket) return refused('INVALID_COMMAND')
  const place = { from: accountId, fromBucket, to: accountId, toBucket }
  return moveOnce(state, command, asset, { assetId: asset.id, ...place, amount: command.amount })
}

function moveOnce(
  state: ExchangeState,
  command: Credit | Debit | MoveBetweenBuckets,
  asset: Asset,
  wanted: Transfer,
): Reply {
  const { accountId, reference } = command
  if (state.registry.account(accountId) === undefined) return refused('UNKNOWN_ACCOUNT')
  if (!state.isTrader(accountId)) return refused('INVALID_COMMAND')
  if (wanted.amount < 1n || wanted.amount > AMOUNT_MAX) return refused('INVALID_COMMAND')
  if (reference.length < 1 || reference.length > TEXT_MAX) return refused('INVALID_COMMAND')
  switch (state.references.check(reference, wanted)) {
    case 'SAME':
      return { kind: 'Done', repeated: true }
    case 'CONFLICT':
      return refused('REFERENCE_CONFLICT')
    case 'FULL':
      return refused('TOO_MANY_REFERENCES')
  }
  const reason = moneyRefusal(state, asset, wanted)
  if (reason !== undefined) return refused(reason)
  const { from, fromBucket, to, toBucket } = wanted
  state.ledger.move(asset.id, from, fromBucket, to, toBucket, wanted.amount)
  state.references.remember(reference, wanted)
  return DONE
}

function moneyRefusal(state: ExchangeState, asset: Asset, wanted: Transfer): CoreReason | undefined {
  if (wanted.from !== OUTSIDE_ACCOUNT) {
    const held = state.ledger.balance(wanted.from, asset.id, wanted.fromBucket)
    return held >= wanted.amount ? undefined : 'INSUFFICIENT_FUNDS'
  }
  const after = state.ledger.inExchange(asset.id) + wanted.amount
  const cap = asset.supplyCap > 0n ? asset.supplyCap : AMOUNT_MAX
  return after <= cap ? undefined : 'SUPPLY_LIMIT'
}
