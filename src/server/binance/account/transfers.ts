/** Deposits and withdrawals of the account, newest first. */
import type { ShownDeposit, ShownWithdrawal } from '../../../contract/api/withdrawals.ts'
import { Refusal } from '../../common/refusal.ts'
import type { Operation } from '../../trading/operation.ts'
import {
  depositHistory as depositOperation,
  withdrawalHistory as withdrawalOperation,
} from '../../trading/operations/wallet/withdrawal-history.ts'
import { rangeOf, type WireAnswer, type WireCall, wholeOf } from '../wire-call.ts'

const LIMIT = { max: 1_000, fallback: 1_000 }
const PAGE = 100
const PAGES_MAX = 10
const OFFSET_MAX = 10_000

/** The numbers of the states at Binance. */
const DEPOSIT_DONE = 1
const WITHDRAWAL_STATUS = { WAITING: 2, CLAIMED: 4, COMPLETED: 6 } as const
const CANCELED = { byOperator: 3, byTrader: 1 }

export async function depositHistory(wireCall: WireCall): Promise<WireAnswer> {
  const rows = await read<ShownDeposit>(wireCall, depositOperation, 'deposits')
  if (rows instanceof Refusal) return rows
  const txId = wireCall.parameters.get('txId')
  const wanted = rows.filter(({ id }) => txId === undefined || id === txId).map(depositRow)
  return pageText(wireCall, wanted, ({ insertTime }) => insertTime)
}

export async function withdrawalHistory(wireCall: WireCall): Promise<WireAnswer> {
  const rows = await read<ShownWithdrawal>(wireCall, withdrawalOperation, 'withdrawals')
  if (rows instanceof Refusal) return rows
  const own = wireCall.parameters.get('withdrawOrderId')
  const wanted = rows.filter((row) => own === undefined || row.withdrawOrderId === own)
  const timeOf = ({ createdAt, endedAt }: ShownWithdrawal): number => createdAt ?? endedAt ?? 0
  const words = wanted.map((row) => ({ row: withdrawalRow(row, timeOf(row)), time: timeOf(row) }))
  const status = wireCall.parameters.get('status')
  const fitting = words.filter(({ row }) => status === undefined || row.status === Number(status))
  return JSON.stringify(cut(wireCall, fitting, ({ time }) => time).map(({ row }) => row))
}

/** Reads at most `PAGES_MAX` pages. */
async function read<Row>(
  wireCall: WireCall,
  operation: Operation,
  name: string,
): Promise<readonly Row[] | Refusal> {
  const coin = wireCall.parameters.get('coin')
  const rows: Row[] = []
  let before: string | undefined
  for (let page = 0; page < PAGES_MAX; page++) {
    const fields: Record<string, string> = { limit: String(PAGE) }
    if (coin !== undefined) fields.coin = coin
    if (before !== undefined) fields.before = before
    const data = await wireCall.operate<Readonly<Record<string, unknown>>>(operation, fields)
    if (data instanceof Refusal) return data
    rows.push(...(data[name] as readonly Row[]))
    if (data.next === undefined) break
    before = String(data.next)
  }
  return rows
}

type Deposit = ReturnType<typeof depositRow>

function pageText(wireCall: WireCall, rows: readonly Deposit[], timeOf: (row: Deposit) => number): string {
  const status = wireCall.parameters.get('status')
  const fitting = rows.filter((row) => status === undefined || row.status === Number(status))
  return JSON.stringify(cut(wireCall, fitting, timeOf))
}

function cut<Row>(wireCall: WireCall, rows: readonly Row[], timeOf: (row: Row) => number): readonly Row[] {
  const { from = 0, to = Number.MAX_SAFE_INTEGER } = rangeOf(wireCall)
  const offset = wholeOf(wireCall, 'offset', OFFSET_MAX, 0)
  const limit = wholeOf(wireCall, 'limit', LIMIT.max, LIMIT.fallback)
  return rows.filter((row) => timeOf(row) >= from && timeOf(row) <= to).slice(offset, offset + limit)
}

function depositRow({ id, coin, amount, time }: ShownDeposit) {
  return {
    ...{ id, amount, coin, network: '', status: DEPOSIT_DONE, address: '', addressTag: '', txId: id },
    ...{ insertTime: time, completeTime: time, transferType: 0, confirmTimes: '1/1', unlockConfirm: 1 },
    walletType: 0,
  }
}

function withdrawalRow(row: ShownWithdrawal, time: number) {
  const { id, coin, amount, address = '', addressTag, withdrawOrderId, reason = '', endedAt } = row
  return {
    ...{ id, amount, transactionFee: '0', coin, status: statusOf(row), address },
    ...(addressTag === undefined ? {} : { addressTag }),
    ...{ txId: '', applyTime: timeText(time), network: '', transferType: 0 },
    ...(withdrawOrderId === undefined ? {} : { withdrawOrderId }),
    ...{ info: reason, confirmNo: 0, walletType: 0, txKey: '' },
    ...(row.status === 'COMPLETED' && endedAt !== undefined ? { completeTime: timeText(endedAt) } : {}),
  }
}

function statusOf({ status, canceledBy }: ShownWithdrawal): number {
  if (status !== 'CANCELED') return WITHDRAWAL_STATUS[status]
  return canceledBy === 'TRADER' ? CANCELED.byTrader : CANCELED.byOperator
}

/** `2026-11-27 08:05:03`, UTC. */
function timeText(time: number): string {
  return new Date(time).toISOString().slice(0, 19).replace('T', ' ')
}
