/** The operator's commands on accounts, keys and money. */
import type { AdminAccount, AdminBalance, AdminKey, AdminTransfer } from '../wire/admin.ts'
import { type AdminCommand, command } from './command.ts'
import { facts, table } from './table.ts'

function accountTable(accounts: readonly AdminAccount[]): string {
  const rows = accounts.map(({ name, role, createdAt }) => [name, role, createdAt])
  return table(['NAME', 'ROLE', 'CREATED'], rows, 'No account.')
}

function keyTable(keys: readonly AdminKey[]): string {
  const headings = ['API KEY', 'STATE', 'PERMISSIONS', 'ADDRESSES', 'LAST USED', 'LABEL']
  const rows = keys.map((key) => [
    key.apiKey,
    key.enabled ? 'enabled' : 'disabled',
    key.permissions.join(','),
    key.addresses.join(',') || 'any',
    key.lastUsedAt ?? '-',
    key.label,
  ])
  return table(headings, rows, 'The account has no key yet.')
}

function balanceTable(balances: readonly AdminBalance[]): string {
  const rows = balances.map(({ asset, free, locked, freeze, savings }) => [
    asset,
    free,
    locked,
    freeze,
    savings,
  ])
  return table(['ASSET', 'FREE', 'LOCKED', 'FREEZE', 'SAVINGS'], rows, 'No asset is listed yet.')
}

function transferText({ repeated }: AdminTransfer): string {
  return repeated ? 'Nothing to do: this reference was used for the very same transfer before.' : 'Done.'
}

const account = { field: 'account', kind: 'text', help: 'name of the account' } as const
const asset = { field: 'asset', kind: 'text', help: 'code of the asset' } as const
const amount = { field: 'amount', kind: 'text', help: 'how much, as a decimal' } as const
const apiKey = { field: 'apiKey', kind: 'text', help: 'the key itself, as clients send it' } as const
const reference = {
  field: 'reference',
  kind: 'text',
  required: true,
  help: 'your own name for this transfer: the same again changes nothing',
} as const

export const ACCOUNT_COMMANDS: readonly AdminCommand[] = [
  command({
    name: 'account list',
    operation: 'account/list',
    summary: "List accounts in the order of creation, the house's own first; at most 1000 at a time.",
    options: {
      after: { field: 'after', kind: 'text', help: 'only accounts created after this one' },
      limit: { field: 'limit', kind: 'integer', help: 'at most this many' },
    },
    examples: ['bourse admin --data data/main account list --after alice --limit 100'],
    show: accountTable,
  }),
  command({
    name: 'account add',
    operation: 'account/add',
    summary: 'Open an account.',
    positionals: [{ field: 'name', kind: 'text', help: 'name of the account, without a colon' }],
    examples: ['bourse admin --data data/main account add alice'],
    show: (opened) => accountTable([opened]),
  }),
  command({
    name: 'account balances',
    operation: 'balance/list',
    summary: "Show an account's money.",
    positionals: [account],
    examples: ['bourse admin --data data/main account balances alice'],
    show: balanceTable,
  }),
  command({
    name: 'key list',
    operation: 'key/list',
    summary: "List an account's API keys, never their secrets.",
    positionals: [account],
    examples: ['bourse admin --data data/main key list alice'],
    show: keyTable,
  }),
  command({
    name: 'key add',
    operation: 'key/add',
    summary: 'Give an account a key. Its secret is shown now and never again.',
    positionals: [account],
    options: {
      permissions: {
        field: 'permissions',
        kind: 'list',
        help: 'any of TRADE,WALLET,USER_DATA; all without it',
      },
      addresses: {
        field: 'addresses',
        kind: 'list',
        help: 'addresses and ranges it may be used from; any without it',
      },
      label: { field: 'label', kind: 'text', help: 'what it is for' },
    },
    examples: [
      'bourse admin --data data/main key add alice --label "market maker"',
      'bourse admin --data data/main key add alice --permissions USER_DATA,WALLET --addresses 10.0.0.0/8,2001:db8::/32',
    ],
    show: (key) =>
      `${facts([
        ['account', key.account],
        ['API key', key.apiKey],
        ['secret', key.secret],
      ])}\nThe secret is not kept anywhere in the clear: store it now.`,
  }),
  command({
    name: 'key enable',
    operation: 'key/enable',
    summary: 'Let a disabled key be used again.',
    positionals: [apiKey],
    examples: ['bourse admin --data data/main key enable 4f1c...'],
    show: (key) => keyTable([key]),
  }),
  command({
    name: 'key disable',
    operation: 'key/disable',
    summary: 'Refuse a key from now on.',
    positionals: [apiKey],
    examples: ['bourse admin --data data/main key disable 4f1c... --note "laptop stolen"'],
    show: (key) => keyTable([key]),
  }),
  command({
    name: 'credit',
    operation: 'money/credit',
    summary: 'Bring money in from the outside world, into free.',
    positionals: [account, asset, amount],
    options: { reference },
    examples: ['bourse admin --data data/main credit alice BTC 1.5 --reference deposit-1042'],
    show: transferText,
  }),
  command({
    name: 'debit',
    operation: 'money/debit',
    summary: 'Pay money out to the outside world, from free.',
    positionals: [account, asset, amount],
    options: { reference },
    examples: ['bourse admin --data data/main debit alice BTC 0.5 --reference withdrawal-77'],
    show: transferText,
  }),
  command({
    name: 'move',
    operation: 'money/move',
    summary: 'Move money between free, freeze and savings of one account.',
    positionals: [account, asset, amount],
    options: {
      from: { field: 'from', kind: 'text', required: true, help: 'free, freeze or savings' },
      to: { field: 'to', kind: 'text', required: true, help: 'free, freeze or savings' },
      reference,
    },
    examples: [
      'bourse admin --data data/main move alice USDT 100 --from free --to freeze --reference hold-9',
    ],
    show: transferText,
  }),
]
