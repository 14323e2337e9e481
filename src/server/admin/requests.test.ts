import { describe, expect, test } from 'bun:test'
import type { ZodType } from 'zod'
import { ADMIN_OPERATIONS, type AdminOperation } from '../../contract/admin/admin.ts'
import { AdminRequestError } from './context.ts'
import { checkOf, parseRequest } from './requests.ts'

const audit = { actor: 'ops', note: 'a note' }
const money = { ...audit, account: 'alice', asset: 'EUR', amount: '1', reference: 'deposit 1' }

/** A request of each operation that takes a text, with every text it may have. */
const REQUESTS: readonly [AdminOperation, object][] = [
  ['asset/add', { ...audit, code: 'EUR', name: 'Euro', fraction: 2, supplyCap: '1000' }],
  ['asset/set', { ...audit, code: 'EUR' }],
  [
    'symbol/add',
    {
      ...audit,
      symbol: 'XAU/EUR',
      baseFraction: 3,
      quoteFraction: 2,
      takerRate: '0.002',
      makerRate: '0.001',
      minTotal: '10',
      minQuantity: '0.5',
      selfTradeMode: 'NONE',
    },
  ],
  ['symbol/rates', { ...audit, symbol: 'XAU/EUR', takerRate: '0.002', makerRate: '0.001' }],
  ['symbol/halt', { ...audit, symbol: 'XAU/EUR' }],
  ['symbol/resume', { ...audit, symbol: 'XAU/EUR' }],
  ['account/list', { after: 'alice' }],
  ['account/search', { text: 'ali', after: 'alice', limit: 10 }],
  ['account/add', { ...audit, name: 'alice' }],
  ['key/list', { account: 'alice' }],
  [
    'key/add',
    { ...audit, account: 'alice', label: 'first', permissions: ['USER_DATA'], addresses: ['10.0.0.1'] },
  ],
  ['key/enable', { ...audit, apiKey: 'k' }],
  ['key/disable', { ...audit, apiKey: 'k' }],
  ['balance/list', { account: 'alice' }],
  ['money/credit', money],
  ['money/debit', money],
  ['money/move', { ...money, from: 'free', to: 'freeze' }],
]

function refusalOf(operation: AdminOperation, body: object): unknown {
  try {
    parseRequest(operation, body)
  } catch (cause) {
    if (cause instanceof AdminRequestError) return { status: cause.status, ...cause.error }
    throw cause
  }
  return undefined
}

describe('half a character, which no command can carry, is refused by the name of its field', () => {
  for (const [operation, body] of REQUESTS) {
    test(operation, () => {
      for (const [field, value] of Object.entries(body)) {
        if (typeof value === 'number') continue
        const isList = Array.isArray(value)
        for (const bad of ['\ud800', '\udc00', 'a\ud800b']) {
          const refusal = refusalOf(operation, { ...body, [field]: isList ? [bad] : bad })
          const named = isList ? `${field}.0` : field
          expect(refusal).toMatchObject({ status: 400, reason: 'INVALID_FIELD', field: named })
        }
      }
    })
  }
})

describe('control characters, characters that reverse a line and invisible ones', () => {
  /** Names of existing objects, perhaps from a time when any character was allowed. */
  const KNOWN = [
    ...['account', 'apiKey', 'order', 'after', 'before', 'text', 'actor', 'kind', 'journal', 'customerId'],
    // A path of the node's own machine; an address and a public key that are parsed as such.
    ...['file', 'url', 'publicKey'],
  ]
  const KNOWN_NAMES = ['token/set', 'token/revoke', 'role/remove']
  const HIDDEN = ['\u001b', '\r', '\n', '\u0000', '\u007f', '\u009b', '\u202e', '\u200b', '\u2028', '\ufeff']

  test.each(ADMIN_OPERATIONS)('are in no text that %s would store', (operation) => {
    const taken: string[] = []
    for (const [field, form] of Object.entries(checkOf(operation).shape as Record<string, ZodType>)) {
      for (const hidden of HIDDEN) {
        const texts = [`a${hidden}b`, `a=${hidden}b`, hidden]
        if (texts.some((one) => form.safeParse(one).success || form.safeParse([one]).success))
          taken.push(field)
      }
    }
    const isKnown = (field: string): boolean => {
      if (field === 'actor') return operation.startsWith('audit/')
      if (field === 'name') return KNOWN_NAMES.includes(operation)
      if (field === 'reference')
        return /^(?:withdrawal\/(?:complete|cancel|claim|refuse)|approval\/|transfer\/)/.test(operation)
      return KNOWN.includes(field)
    }
    expect(taken.filter((field) => !isKnown(field))).toEqual([])
  })

  test('are refused by the name of the field, and the character is named', () => {
    for (const [operation, body] of [
      ['account/note', { ...audit, account: 'alice', remark: 'a\u001b[2K' }],
      ['account/note', { ...audit, account: 'alice', fields: ['desk=a\u001bb'] }],
      ['account/add', { ...audit, name: 'mal\u001b' }],
      ['asset/add', { ...audit, code: 'EUR', fraction: 2, name: 'Euro\u001b' }],
      ['key/add', { ...audit, account: 'alice', label: '\u001b' }],
      ['money/credit', { ...money, reference: 'd\u001b' }],
      ['symbol/halt', { ...audit, symbol: 'XAU/EUR', note: '\u001b' }],
      ['symbol/halt', { note: 'a note', symbol: 'XAU/EUR', actor: '\u001b' }],
    ] as const)
      expect(refusalOf(operation, body)).toMatchObject({
        ...{ status: 400, reason: 'INVALID_FIELD' },
        message: expect.stringMatching(/^\w+(?:\.\d)?: expected .*found U\+001B$/),
      })
  })

  test('can still be looked up: existing entries with such a name remain usable', () => {
    for (const [operation, body] of [
      ['account/freeze', { ...audit, account: 'mal\u200b' }],
      ['account/list', { after: 'mal ' }],
      ['token/revoke', { ...audit, name: 'old\u202e' }],
      ['withdrawal/complete', { ...audit, reference: 'w\u0007' }],
      ['money/debit', { ...money, account: 'mal\u00a0' }],
    ] as const)
      expect(refusalOf(operation, body)).toBeUndefined()
  })
})

test('a name that looks like another one is refused: spaces at its ends, and letters in two parts', () => {
  for (const name of ['mal ', ' mal', 'mal\u00a0', 'e\u0301', 'mal  x'])
    for (const [operation, body] of [
      ['account/add', { ...audit, name }],
      ['asset/add', { ...audit, code: 'EUR', fraction: 2, name }],
    ] as const)
      expect(refusalOf(operation, body)).toMatchObject({
        status: 400,
        reason: 'INVALID_FIELD',
        field: 'name',
      })
})

test('a whole character outside the first plane is text like any other', () => {
  expect(
    refusalOf('account/add', { name: '\u{1f600}', actor: '\u{1f600}', note: '\u{1f600}' }),
  ).toBeUndefined()
})

test('an address with a zone is refused by name: the zone has no meaning on other machines', () => {
  for (const address of ['fe80::1%eth0', 'fe80::%1/64', '::ffff:10.0.0.1%lo', 'fe80::1%']) {
    const refusal = refusalOf('key/add', { account: 'alice', addresses: ['10.0.0.1', address] })
    expect(refusal).toMatchObject({ status: 400, field: 'addresses.1' })
    expect((refusal as { message: string }).message).toContain('without a zone')
  }
})

test('a field of the wrong type or size is answered with what was expected, in plain words', () => {
  const cases: readonly [AdminOperation, object, string][] = [
    ['asset/add', { code: 'EUR', fraction: 99 }, 'fraction: expected at most 18'],
    ['audit/list', { limit: 0 }, 'limit: expected at least 1'],
    ['account/add', {}, 'name: is missing'],
    ['account/add', { name: 5 }, 'name: expected string'],
    ['account/add', { name: 'x'.repeat(201) }, 'name: expected at most 200 characters'],
    [
      'token/add',
      { name: 'dora', role: 'the king' },
      'role: expected 1 to 64 letters, digits or any of . _ @ -',
    ],
    [
      'account/restrict',
      { account: 'a', restrictions: ['FLY'] },
      'restrictions.0: expected one of TRADE, WITHDRAW, LOGIN, found FLY',
    ],
  ]
  for (const [operation, body, message] of cases)
    expect(refusalOf(operation, body)).toMatchObject({ message })
})
