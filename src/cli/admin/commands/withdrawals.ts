/**
 * The operator's commands for withdrawals, for withdrawals requested by traders, and for withdrawal
 * addresses.
 */
import type { WITHDRAWAL_OPERATIONS } from '../../../contract/admin/operations/withdrawals.ts'
import type { AdminWithdrawal, AdminWithdrawalAddress } from '../../../contract/admin/records.ts'
import { table } from '../../table.ts'
import type { Shown } from '../command.ts'
import { transferText } from './money.ts'

export function withdrawalTable(withdrawals: readonly AdminWithdrawal[]): string {
  const rows = withdrawals.map(
    ({ reference, account, asset, amount, requestedAt, asked, waits, rejected }) => [
      reference,
      account,
      asset,
      amount,
      requestedAt,
      asked === null ? '-' : [asked.address, asked.tag].filter((text) => text !== '').join(' '),
      claimText(asked),
      waits === null ? '-' : `${waits.kind} requested by ${waits.requestedBy}`,
      rejected === null ? '-' : `${rejected.kind} by ${rejected.rejectedBy} ${rejected.note}`.trimEnd(),
    ],
  )
  const headings = [
    'REFERENCE',
    'ACCOUNT',
    'ASSET',
    'AMOUNT',
    'SINCE',
    'ADDRESS',
    'CLAIMED',
    'WAITS',
    'REJECTED',
  ]
  return table(headings, rows, 'There are no pending withdrawals.')
}

function claimText(asked: AdminWithdrawal['asked']): string {
  if (asked === null) return '-'
  const { claimedAt, claimedBy, approvedBy } = asked
  if (claimedAt === null) return 'not yet'
  const by = claimedBy === null ? '' : ` by ${claimedBy}`
  return `${claimedAt}${by}${approvedBy.length === 0 ? '' : `, approved by ${approvedBy.join(', ')}`}`
}

function addressTable(addresses: readonly AdminWithdrawalAddress[]): string {
  const rows = addresses.map(({ asset, address, tag, label, addedAt, usableAt }) => [
    asset,
    address,
    tag === '' ? '-' : tag,
    label === '' ? '-' : label,
    addedAt,
    usableAt,
  ])
  return table(
    ['ASSET', 'ADDRESS', 'TAG', 'LABEL', 'ADDED', 'USABLE FROM'],
    rows,
    'The account has no withdrawal addresses.',
  )
}

export const WITHDRAWAL_ANSWERS: Shown<typeof WITHDRAWAL_OPERATIONS> = {
  'withdrawal/list': withdrawalTable,
  'withdrawal/hold': transferText,
  'withdrawal/claim': (answer) =>
    answer.repeated && !answer.pending ? 'Nothing to do: it was already claimed.' : transferText(answer),
  'withdrawal/complete': transferText,
  'withdrawal/cancel': transferText,
  'withdrawal/refuse': transferText,
  'address/list': addressTable,
  'address/add': (added) => addressTable([added]),
  'address/remove': () => 'Done.',
}
