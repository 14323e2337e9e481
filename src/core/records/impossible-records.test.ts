/** Bytes of records that no exchange can have written: damaged, or from another program. */
import { describe, expect, test } from 'bun:test'
import { ByteReader, BytesFault, ByteWriter } from '../../units/bytes.ts'
import type { AccountId } from '../../units/ids.ts'
import { APPROVERS_MAX, TOKEN_DIGEST_BYTES } from '../../units/limits.ts'
import { RATE_ONE } from '../../units/quantities.ts'
import type { ByteCodec } from '../../units/shapes/shape.ts'
import { byteCodec } from '../../units/shapes/shape-bytes.ts'
import { readAsked, writeAsked } from '../ledger/asked-terms.ts'
import { WITHDRAWAL_ADDRESS } from '../ledger/withdrawal-addresses.ts'
import { WITHDRAWAL } from '../ledger/withdrawals.ts'
import type { Approval } from '../questions/view.ts'
import { readAccount, writeAccount } from '../registry/records-codec.ts'
import { ADMIN_TOKENS, BANS, FEE_TIERS } from './back-office-codec.ts'
import { readHandling, writeHandling } from './handling-codec.ts'
import { APPROVALS, LIMITS, ROLES, readApprovers, writeApprovers } from './rights-codec.ts'

type Codec = Pick<ByteCodec<never>, 'write'> & Pick<ByteCodec<unknown>, 'read'>
type Record = { readonly codec: Codec; readonly possible: object }

const PENDING = {
  reference: 'a',
  kind: 'Debit',
  actor: 'ann',
  note: '',
  accountId: 4,
  assetId: 0,
  amount: 1,
  requestedAt: 5,
  approvedBy: ['bob', 'cem'],
}
/** The pending request of these approvers is known. */
const APPROVERS = {
  write: writeApprovers,
  read: (r: ByteReader) => readApprovers(r, () => PENDING as unknown as Approval),
}
const ACCOUNT = { write: writeAccount, read: (r: ByteReader) => readAccount(r, 4 as AccountId) }
const WAY = { each: 1, day: 2, moved: 0 }

const RECORDS: Readonly<{ [Name in string]: Record }> = {
  withdrawal: {
    codec: byteCodec(WITHDRAWAL),
    possible: { reference: 'a', accountId: 4, assetId: 0, amount: 1, state: 'PENDING', requestedAt: 5 },
  },
  address: {
    codec: byteCodec(WITHDRAWAL_ADDRESS),
    possible: { accountId: 4, assetId: 0, address: 'x', tag: '', label: '', addedAt: 5, usableAt: 5 },
  },
  'withdrawal request': {
    codec: { write: writeAsked, read: readAsked },
    possible: { address: 'x', tag: '', withdrawOrderId: undefined, claimedAt: 5, end: undefined },
  },
  claim: {
    codec: { write: writeHandling, read: readHandling },
    possible: { reference: 'a', claimedBy: 'ann', approvedBy: ['bob'], rejected: undefined },
  },
  approvers: { codec: APPROVERS, possible: PENDING },
  'fee tier': { codec: FEE_TIERS, possible: { name: 'gold', makerShare: 0, takerShare: RATE_ONE } },
  token: {
    codec: ADMIN_TOKENS,
    possible: {
      name: 'ann',
      role: 'READ_ONLY',
      digest: new Uint8Array(TOKEN_DIGEST_BYTES),
      createdAt: 5,
      isRevoked: false,
    },
  },
  ban: { codec: BANS, possible: { address: '::1', until: 1 } },
  role: { codec: ROLES, possible: { name: 'desk', rights: ['read', 'markets'] } },
  limit: { codec: LIMITS, possible: { role: 'desk', assetId: 0, day: 1, in: WAY, out: WAY } },
  'number of approvals': { codec: APPROVALS, possible: { asset: '', needed: APPROVERS_MAX } },
  account: {
    codec: ACCOUNT,
    possible: { name: 'alice', role: 'trader', createdAt: 5, restrictions: ['TRADE'] },
  },
}

/** The record, what is wrong with it, and the fields that are wrong. */
const IMPOSSIBLE: readonly (readonly [record: string, what: string, change: object])[] = [
  ['withdrawal', 'of nothing', { amount: 0 }],
  ['withdrawal', 'without a reference', { reference: '' }],
  ['address', 'that is usable before it came', { usableAt: 4 }],
  ['address', 'with a blank', { address: 'x y' }],
  ['withdrawal request', 'without an address', { address: '' }],
  ['withdrawal request', 'with an id that no trader can give', { withdrawOrderId: '' }],
  ['claim', 'that nobody has', { claimedBy: undefined, approvedBy: [] }],
  ['claim', 'with too many approvers', { approvedBy: Array.from({ length: APPROVERS_MAX + 1 }, String) }],
  ['approvers', 'of whom one approved twice', { approvedBy: ['bob', 'bob'] }],
  ['approvers', 'of a request without any', { approvedBy: [] }],
  ['approvers', 'of another request', { reference: 'b' }],
  ['fee tier', 'that pays more than the whole rate', { takerShare: RATE_ONE + 1 }],
  ['fee tier', 'with a name that no operator can give', { name: 'two words' }],
  ['token', 'with a digest of another length', { digest: new Uint8Array(TOKEN_DIGEST_BYTES - 1) }],
  ['ban', 'that is over from the start', { until: 0 }],
  ['ban', 'of no address', { address: '' }],
  ['role', 'with a right twice', { rights: ['read', 'read'] }],
  ['role', 'with rights out of order', { rights: ['markets', 'read'] }],
  ['role', 'with a name of a built-in role', { name: 'OPERATOR' }],
  ['number of approvals', 'above the most that there can be', { needed: APPROVERS_MAX + 1 }],
  ['account', 'of the house with restrictions', { role: 'rounding' }],
  ['account', 'of a trader with a name of the house', { name: 'rounding:A/B' }],
]

function readBack({ codec }: Record, value: object): unknown {
  const w = new ByteWriter()
  codec.write(w, value as never)
  const r = new ByteReader(w.take())
  const found = codec.read(r)
  r.end()
  return found
}

describe('records as bytes', () => {
  test.each(Object.keys(RECORDS))('of the kind %s are read as they were written', (name) => {
    const record = RECORDS[name] as Record
    expect(readBack(record, record.possible)).toMatchObject(record.possible)
  })

  test.each(IMPOSSIBLE)('that no exchange has written are refused: %s %s', (name, _, change) => {
    const record = RECORDS[name] as Record
    expect(() => readBack(record, { ...record.possible, ...change })).toThrow(BytesFault)
  })

  test('of a withdrawal that was canceled before it ended are refused', () => {
    const w = new ByteWriter()
    // The bit of a cancellation is set without the bit of an end.
    w.u8(8)
    w.text('x')
    w.text('')
    expect(() => readAsked(new ByteReader(w.take()))).toThrow(BytesFault)
  })
})
