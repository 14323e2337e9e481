/**
 * Operators' money as the second bookkeeper expects it: in, out, between buckets, held for a withdrawal, and waiting for
 * a second person. What a command must come to is planned before its answer is looked at.
 */

import type { Command } from '../../src/core/exchange/command.ts'
import type { ExchangeEvent } from '../../src/core/exchange/event.ts'
import { bigintOf } from '../../src/units/whole.ts'
import { AMOUNT_LIMIT, isAccepted, isText, type No, type Of } from './shadow-rules.ts'
import {
  type Applied,
  type ApprovableCommand,
  type Bucket,
  demand,
  type ShadowApproval,
  type ShadowAsset,
  type ShadowState,
  type ShadowWithdrawal,
} from './shadow-state.ts'

type TransferCommand = Of<
  'Credit' | 'Debit' | 'MoveBetweenBuckets' | 'MoveSavings' | 'PayOutCommission' | 'HoldWithdrawal'
>
export type MoneyCommand =
  | TransferCommand
  | Of<'CompleteWithdrawal' | 'CancelWithdrawal' | 'Approve' | 'Reject'>

const MONEY_KINDS: { readonly [Kind in MoneyCommand['kind']]: true } = {
  Credit: true,
  Debit: true,
  MoveBetweenBuckets: true,
  MoveSavings: true,
  PayOutCommission: true,
  HoldWithdrawal: true,
  CompleteWithdrawal: true,
  CancelWithdrawal: true,
  Approve: true,
  Reject: true,
}

const OUTSIDE = 0
const FEES = 1
const WEEK_MS = 604_800_000

export function isMoney(command: Command): command is MoneyCommand {
  return Object.hasOwn(MONEY_KINDS, command.kind)
}

/** What a command must come to, unless a reason against it holds. */
type Plan = {
  readonly answer: 'done' | 'repeated' | 'waits'
  /** Changes the state, and says which events it must publish. */
  readonly carryOut: () => string[]
}

const REPEATED: Plan = { answer: 'repeated', carryOut: () => [] }

export function checkMoney(state: ShadowState, applied: Applied, command: MoneyCommand): void {
  let plan = REPEATED
  const accepted = isAccepted(applied, (no) => {
    plan = planOf(state, command, no)
  })
  if (!accepted) return
  const { reply, events } = applied
  const found =
    reply.kind === 'ApprovalNeeded' ? 'waits' : reply.kind === 'Done' && reply.repeated ? 'repeated' : 'done'
  demand(found === plan.answer, () => `${command.kind} ${command.reference}: ${plan.answer}, found ${found}`)
  const expected = plan.carryOut().join(', ')
  const published = events.map(lineOf).join(', ')
  demand(published === expected, () => `${command.kind} publishes: ${expected}; found: ${published}`)
}

/** What waits in an account's `freeze` to be withdrawn. */
export function heldFor(state: ShadowState, account: number, asset: number): bigint {
  let sum = 0n
  for (const one of state.withdrawals.values()) {
    if (one.state === 'PENDING' && one.account === account && one.asset === asset) sum += one.amount
  }
  return sum
}

function lineOf(event: ExchangeEvent): string {
  switch (event.kind) {
    case 'ExternalTransfer':
      return transferLine(event.accountId, event.assetId, bigintOf(event.amount))
    case 'WithdrawalChanged':
      return `withdrawal ${event.withdrawal.reference} ${event.withdrawal.state}`
    case 'ApprovalChanged':
      return `approval ${event.approval.reference} ${event.state}`
    default:
      return event.kind
  }
}

function transferLine(account: number, asset: number, amount: bigint): string {
  return `account ${account}, asset ${asset}: ${amount}`
}

function planOf(state: ShadowState, command: MoneyCommand, no: No, isApproved = false): Plan {
  switch (command.kind) {
    case 'CompleteWithdrawal':
      return completion(state, command, no, isApproved)
    case 'CancelWithdrawal':
      return cancellation(state, command, no)
    case 'Approve':
      return approval(state, command, no)
    case 'Reject': {
      no(waitingOf(state, command.reference) === undefined, 'UNKNOWN_APPROVAL')
      return { answer: 'done', carryOut: () => [ended(state, command.reference, 'REJECTED')] }
    }
    default:
      return transfer(state, command, no, isApproved)
  }
}

type Place = readonly [account: number, bucket: Bucket]

/** From where to where a command moves its amount. */
function wayOf(command: TransferCommand): readonly [from: Place, to: Place] {
  switch (command.kind) {
    case 'Credit':
      return [
        [OUTSIDE, 'free'],
        [command.accountId, 'free'],
      ]
    case 'Debit':
      return [
        [command.accountId, 'free'],
        [OUTSIDE, 'free'],
      ]
    case 'PayOutCommission':
      return [
        [FEES, 'free'],
        [OUTSIDE, 'free'],
      ]
    default: {
      const [from, to] = bucketsOf(command)
      return [
        [command.accountId, from],
        [command.accountId, to],
      ]
    }
  }
}

function bucketsOf(
  command: Of<'MoveBetweenBuckets' | 'MoveSavings' | 'HoldWithdrawal'>,
): readonly [from: Bucket, to: Bucket] {
  if (command.kind === 'HoldWithdrawal') return ['free', 'freeze']
  if (command.kind === 'MoveBetweenBuckets') return [command.from, command.to]
  return command.isDeposit ? ['free', 'savings'] : ['savings', 'free']
}

function transfer(state: ShadowState, command: TransferCommand, no: No, isApproved: boolean): Plan {
  const { amount, reference } = command
  const asset = state.assetByCode(command.asset)
  const [from, to] = wayOf(command)
  const isHouse = command.kind === 'PayOutCommission'
  const account = isHouse ? undefined : state.accounts[command.accountId]
  no(asset < 0, 'UNKNOWN_ASSET')
  no(!isHouse && account === undefined, 'UNKNOWN_ACCOUNT')
  no(!isHouse && account?.role !== 'trader', 'INVALID_COMMAND')
  no(account?.isClosed === true, 'ACCOUNT_CLOSED')
  no(amount < 1n || amount > AMOUNT_LIMIT || !isText(reference, 1), 'INVALID_COMMAND')
  no(command.kind === 'MoveBetweenBuckets' && from[1] === to[1], 'INVALID_COMMAND')
  const listed = state.assets[asset]
  const isSaved = command.kind === 'MoveSavings' && command.isDeposit
  no(isSaved && listed?.flags.isSaving === false, 'ASSET_NOT_SAVABLE')
  if (listed === undefined || (!isHouse && account?.role !== 'trader')) return REPEATED
  const what = `${from.join('.')} ${to.join('.')} ${command.asset} ${amount}`
  const known = state.references.get(reference)
  if (known !== undefined) {
    const isOther = command.kind === 'HoldWithdrawal' && !state.withdrawals.has(reference)
    no(known !== what || isOther, 'REFERENCE_CONFLICT')
    return REPEATED
  }
  addSwitchRefusals(state, command, listed, no)
  if (command.kind === 'Credit') no(listed.creditMax > 0n && amount > listed.creditMax, 'CREDIT_LIMIT')
  if (command.kind === 'Credit' || command.kind === 'Debit' || isHouse) {
    const waits = isApproved ? undefined : waitingPlan(state, command, asset, bigintOf(amount), no)
    if (waits !== undefined) return waits
  } else {
    no(waitingOf(state, reference) !== undefined, 'REFERENCE_CONFLICT')
  }
  if (command.kind === 'HoldWithdrawal') {
    no(!listed.flags.isWithdraw, 'ASSET_NOT_WITHDRAWABLE')
    no(account?.restrictions?.includes('WITHDRAW') === true, 'ACCOUNT_RESTRICTED')
  }
  addMoneyRefusals(state, asset, from, bigintOf(amount), no)
  return { answer: 'done', carryOut: () => moved(state, command, asset, what) }
}

/** From the second version of the rules on operators are bound by what an asset is open for. */
function addSwitchRefusals(
  { isStrict }: ShadowState,
  command: TransferCommand,
  { flags }: ShadowAsset,
  no: No,
): void {
  if (!isStrict) return
  const [, to] = wayOf(command)
  const goesOut = command.kind === 'Debit' || command.kind === 'PayOutCommission'
  no(command.kind === 'Credit' && !flags.isDeposit, 'ASSET_NOT_DEPOSITABLE')
  no(goesOut && !flags.isWithdraw, 'ASSET_NOT_WITHDRAWABLE')
  no(to[1] === 'savings' && !flags.isSaving, 'ASSET_NOT_SAVABLE')
}

function addMoneyRefusals(
  state: ShadowState,
  asset: number,
  [account, bucket]: Place,
  amount: bigint,
  no: No,
): void {
  if (account === OUTSIDE) {
    const cap = state.assets[asset]?.cap ?? 0n
    const inside = -state.buckets(asset, OUTSIDE).free
    no(inside + amount > (cap > 0n ? cap : AMOUNT_LIMIT), 'SUPPLY_LIMIT')
    return
  }
  const tied = bucket === 'freeze' ? heldFor(state, account, asset) : 0n
  no(state.buckets(asset, account)[bucket] - tied < amount, 'INSUFFICIENT_FUNDS')
}

function moved(state: ShadowState, command: TransferCommand, asset: number, what: string): string[] {
  const { amount, reference } = command
  const [from, to] = wayOf(command)
  state.references.set(reference, what)
  state.move(asset, from, to, bigintOf(amount))
  if (command.kind === 'Credit') return [transferLine(to[0], asset, bigintOf(amount))]
  if (to[0] === OUTSIDE) return [transferLine(from[0], asset, -bigintOf(amount))]
  if (command.kind !== 'HoldWithdrawal') return []
  state.withdrawals.set(reference, {
    account: command.accountId,
    asset,
    amount: bigintOf(amount),
    state: 'PENDING',
  })
  return [`withdrawal ${reference} PENDING`]
}

/** The plan of what a second person has to agree to; undefined: nobody has to. */
function waitingPlan(
  state: ShadowState,
  command: ApprovableCommand,
  asset: number,
  amount: bigint,
  no: No,
): Plan | undefined {
  const { reference } = command
  const waiting = waitingOf(state, reference)
  if (waiting !== undefined) {
    no(subjectOf(waiting.command) !== subjectOf(command), 'REFERENCE_CONFLICT')
    return { answer: 'waits', carryOut: () => [] }
  }
  const above = state.assets[asset]?.approvalAbove ?? 0n
  if (above === 0n || amount <= above) return undefined
  no(state.isStrict && !state.opens(command.operator.actor), 'NAMED_TOKEN_NEEDED')
  return {
    answer: 'waits',
    carryOut: () => {
      const expired = [...state.approvals].filter(([, one]) => !isInTime(state, one))
      const ends = expired.map(([old]) => ended(state, old, 'EXPIRED'))
      state.approvals.set(reference, { command, requestedAt: state.time })
      return [...ends, `approval ${reference} PENDING`]
    },
  }
}

/** Equal for requests of the same thing, whoever asks. */
function subjectOf(command: ApprovableCommand): string {
  if (command.kind === 'CompleteWithdrawal') return command.kind
  const account = command.kind === 'PayOutCommission' ? FEES : command.accountId
  return `${command.kind} ${account} ${command.asset} ${command.amount}`
}

function isInTime(state: ShadowState, { requestedAt }: ShadowApproval): boolean {
  return state.time - requestedAt < WEEK_MS
}

function waitingOf(state: ShadowState, reference: string): ShadowApproval | undefined {
  const waiting = state.approvals.get(reference)
  return waiting !== undefined && isInTime(state, waiting) ? waiting : undefined
}

function ended(state: ShadowState, reference: string, became: 'APPROVED' | 'REJECTED' | 'EXPIRED'): string {
  state.approvals.delete(reference)
  return `approval ${reference} ${became}`
}

function approval(state: ShadowState, { reference, operator }: Of<'Approve'>, no: No): Plan {
  const waiting = waitingOf(state, reference)
  no(waiting === undefined, 'UNKNOWN_APPROVAL')
  if (waiting === undefined) return REPEATED
  const asker = waiting.command.operator.actor
  no(asker === operator.actor, 'SELF_APPROVAL')
  if (state.isStrict) {
    no(state.token(asker) === undefined || !state.opens(operator.actor), 'NAMED_TOKEN_NEEDED')
    const madeAt = state.token(operator.actor)?.createdAt ?? 0
    no(madeAt >= waiting.requestedAt, 'TOKEN_TOO_NEW')
  }
  const { answer, carryOut } = planOf(state, waiting.command, no, true)
  return { answer, carryOut: () => [...carryOut(), ended(state, reference, 'APPROVED')] }
}

function completion(
  state: ShadowState,
  command: Of<'CompleteWithdrawal'>,
  no: No,
  isApproved: boolean,
): Plan {
  const { reference } = command
  const held = stepOf(state, reference, 'COMPLETED', no)
  if (held === undefined) return REPEATED
  const { account, asset, amount } = held
  const waits = isApproved ? undefined : waitingPlan(state, command, asset, amount, no)
  if (waits !== undefined) return waits
  return {
    answer: 'done',
    carryOut: () => {
      held.state = 'COMPLETED'
      state.move(asset, [account, 'freeze'], [OUTSIDE, 'free'], amount)
      return [transferLine(account, asset, -amount), `withdrawal ${reference} COMPLETED`]
    },
  }
}

function cancellation(state: ShadowState, { reference }: Of<'CancelWithdrawal'>, no: No): Plan {
  const held = stepOf(state, reference, 'CANCELED', no)
  if (held === undefined) return REPEATED
  return {
    answer: 'done',
    carryOut: () => {
      const ends = waitingOf(state, reference) === undefined ? [] : [ended(state, reference, 'REJECTED')]
      held.state = 'CANCELED'
      state.move(held.asset, [held.account, 'freeze'], [held.account, 'free'], held.amount)
      return [...ends, `withdrawal ${reference} CANCELED`]
    },
  }
}

/** The withdrawal that is to end so; undefined: there is none that waits. */
function stepOf(
  state: ShadowState,
  reference: string,
  wanted: ShadowWithdrawal['state'],
  no: No,
): ShadowWithdrawal | undefined {
  const known = state.withdrawals.get(reference)
  no(known === undefined, 'UNKNOWN_WITHDRAWAL')
  if (known?.state === 'PENDING') return known
  no(known !== undefined && known.state !== wanted, 'WITHDRAWAL_FINISHED')
  return undefined
}
