/** The operator's commands on withdrawals, on those that traders ask for, and on the addresses that these go to. */
import type { AdminWithdrawal, AdminWithdrawalAddress } from '../../../wire/admin-records.ts'
import { table } from '../../table.ts'
import { type AdminCommand, command } from '../command.ts'
import { account, amount, asset, reference, transferText } from './money.ts'

const known = { field: 'reference', kind: 'text', help: 'the reference it was made with' } as const
const address = {
  field: 'address',
  kind: 'text',
  help: 'where money goes, on its chain or at its bank',
} as const
const tag = { field: 'tag', kind: 'text', help: 'memo or destination tag of the address' } as const

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
      waits === null ? '-' : `${waits.kind} asked for by ${waits.requestedBy}`,
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
  return table(headings, rows, 'No withdrawal waits.')
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
    'The account has no address.',
  )
}

export const WITHDRAWAL_COMMANDS: readonly AdminCommand[] = [
  command({
    name: 'withdrawal list',
    operation: 'withdrawal/list',
    summary:
      'List the withdrawals that wait, up to 1000 at a time, in the order in which they were asked for.',
    options: {
      account: { field: 'account', kind: 'text', help: 'only of this account' },
      after: { field: 'after', kind: 'text', help: 'only those behind the one of this reference' },
      limit: { field: 'limit', kind: 'integer', help: 'most of them, 1 to 1000' },
    },
    examples: [
      'bourse admin --data data/main withdrawal list',
      'bourse admin --data data/main withdrawal list --limit 20 --after withdrawal-78',
    ],
    show: withdrawalTable,
  }),
  command({
    name: 'withdrawal hold',
    operation: 'withdrawal/hold',
    summary: 'Take money that is to leave the exchange from free into freeze.',
    positionals: [account, asset, amount],
    options: { reference },
    examples: ['bourse admin --data data/main withdrawal hold alice BTC 0.5 --reference withdrawal-78'],
    show: transferText,
  }),
  command({
    name: 'withdrawal claim',
    operation: 'withdrawal/claim',
    summary:
      'Take a withdrawal in hand: its trader cannot cancel it any more. Much money is claimed once a second person approves.',
    positionals: [known],
    examples: ['bourse admin --data data/main withdrawal claim 019a-... --note "paying from wallet 3"'],
    show: (answer) =>
      answer.repeated && !answer.pending ? 'Nothing to do: it was claimed before.' : transferText(answer),
  }),
  command({
    name: 'withdrawal complete',
    operation: 'withdrawal/complete',
    summary: 'The money of a withdrawal leaves the exchange: pay it when this is done, and not before.',
    positionals: [known],
    examples: ['bourse admin --data data/main withdrawal complete withdrawal-78 --note "tx 5f..."'],
    show: transferText,
  }),
  command({
    name: 'withdrawal cancel',
    operation: 'withdrawal/cancel',
    summary: 'The money of a withdrawal is free again.',
    positionals: [known],
    examples: ['bourse admin --data data/main withdrawal cancel withdrawal-78'],
    show: transferText,
  }),
  command({
    name: 'withdrawal refuse',
    operation: 'withdrawal/refuse',
    summary: 'The money of a withdrawal is free again, and the trader who asked for it is told why.',
    positionals: [known],
    options: {
      reason: { field: 'reason', kind: 'text', required: true, help: 'why, for the trader to read' },
    },
    examples: [
      'bourse admin --data data/main withdrawal refuse 019a-... --reason "the address is not valid"',
    ],
    show: transferText,
  }),
  command({
    name: 'address list',
    operation: 'address/list',
    summary: 'List the addresses that an account may withdraw to.',
    positionals: [account],
    examples: ['bourse admin --data data/main address list alice'],
    show: addressTable,
  }),
  command({
    name: 'address add',
    operation: 'address/add',
    summary: 'Let an account withdraw an asset to an address, after the delay of a new one or at once.',
    positionals: [account, asset, address],
    options: {
      tag,
      label: { field: 'label', kind: 'text', help: 'what its owner calls it' },
      'at-once': { field: 'atOnce', kind: 'switch', help: 'on: without the delay; you answer for it' },
    },
    examples: ['bourse admin --data data/main address add alice BTC bc1q... --label "cold wallet"'],
    show: (added) => addressTable([added]),
  }),
  command({
    name: 'address remove',
    operation: 'address/remove',
    summary: 'An account may not withdraw to an address any more. What was asked for before stays.',
    positionals: [account, asset, address],
    options: { tag },
    examples: ['bourse admin --data data/main address remove alice BTC bc1q...'],
    show: () => 'Done.',
  }),
]
