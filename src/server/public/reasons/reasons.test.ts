/**
 * Every reason that the HTTP interface can return, each provoked over a real connection: status, code and
 * both languages.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { REASON_NAMES, REASONS, type Reason } from '../../../contract/reasons/catalogue.ts'
import { type Fixture, openFixture } from '../gateway.fixture.ts'
import { OF_ACCESS } from './access.fixture.ts'
import type { Provoke } from './provoke.fixture.ts'
import { OF_REQUESTS } from './requests.fixture.ts'
import { OF_SERVICE } from './service.fixture.ts'
import { OF_TRADING, tight } from './trading.fixture.ts'
import { OF_WITHDRAWALS } from './withdrawals.fixture.ts'

/** Only the stream causes these, or a command that no request of the interface leads to. */
const ELSEWHERE = [
  // Its refusal has `data` in addition to the fields of every refusal.
  'CANCEL_REPLACE_PARTLY_DONE',
  'UNKNOWN_ACCOUNT',
  'INVALID_COMMAND',
  'ACCOUNT_CLOSED',
  'RULES_VERSION_TOO_LOW',
  'DEADLINE_OVER',
  'LOGIN_REQUIRED',
  'ALREADY_LOGGED_IN',
  'NONCE_REQUIRED',
  'SECRET_REPLACED',
  'SESSION_TAKEN_OVER',
  'UNKNOWN_SESSION',
  'TOO_MANY_SESSIONS',
  'REQUESTS_UNDER_WAY',
  'TOO_MANY_CLIENT_ORDER_IDS',
  'TOO_MANY_MASS_CANCELS',
  'UNREADABLE_MESSAGE',
  'UNKNOWN_MESSAGE',
  'MESSAGE_TOO_LARGE',
  'TOO_MANY_ROOMS',
  'TOO_MANY_SUBSCRIPTIONS',
  'NOT_SUBSCRIBED',
  'UNKNOWN_JOURNAL',
  'SINCE_TOO_OLD',
  'TOO_SLOW',
  'FLOODING',
  'TOO_MANY_CONNECTIONS',
] as const satisfies readonly Reason[]
type HttpReason = Exclude<Reason, (typeof ELSEWHERE)[number]>

const PROVOKE: { readonly [R in HttpReason]: Provoke } = {
  ...OF_TRADING,
  ...OF_WITHDRAWALS,
  ...OF_ACCESS,
  ...OF_REQUESTS,
  ...OF_SERVICE,
}

/**
 * Reasons about a number that only a request with one of our extensions can have: they report the nearest
 * value that would be accepted.
 */
const OF_NUMBERS: ReadonlySet<HttpReason> = new Set<HttpReason>([
  'STOP_PRICE_REACHED',
  'EXPIRE_TIME_PASSED',
  'EXPIRE_TIME_TOO_FAR',
  'ICEBERG_QUANTITY_TOO_SMALL',
  'ICEBERG_QUANTITY_TOO_LARGE',
  'AMENDED_QUANTITY_TOO_LARGE',
  'AMENDED_QUANTITY_TOO_SMALL',
  'AMENDED_QUANTITY_TOO_PRECISE',
  'WITHDRAWAL_TOO_SMALL',
  'WITHDRAWAL_TOO_LARGE',
])
const NUMBER = expect.stringMatching(/^\d+(\.\d+)?$/)

describe('every reason', () => {
  let fixture: Fixture
  beforeAll(async () => {
    fixture = await openFixture()
    // After the time for which a newly started node has no nonces.
    fixture.clock.time += 5_000
  })
  afterAll(() => fixture.stop())

  for (const [reason, provoke] of Object.entries(PROVOKE) as [HttpReason, Provoke][]) {
    test(`${reason} comes with its status, its code and a text in both languages`, async () => {
      const english = await provoke(fixture, {})
      const turkish = await provoke(fixture, { 'Accept-Language': 'tr-TR,tr;q=0.9,en;q=0.5' })
      for (const { status, body: answer } of [english, turkish]) {
        const near = OF_NUMBERS.has(reason) ? { nearest: NUMBER, parameter: expect.any(String) } : {}
        expect(answer).toEqual({
          status: false,
          code: REASONS[reason].code,
          msg: [expect.any(String)],
          reason,
          ...near,
        })
        expect(status).toBe(REASONS[reason].status)
        expect(answer.msg[0]).not.toMatch(/[{}]/)
      }
      const beside = OF_NUMBERS.has(reason) ? ['nearest', 'parameter'] : []
      expect(Object.keys(english.body)).toEqual(['status', 'code', 'msg', 'reason', ...beside])
      expect(english.body.msg[0]).not.toBe(turkish.body.msg[0])
    })
  }

  const LIMITS: { readonly [R in HttpReason]?: readonly [en: string, tr: string] } = {
    QUANTITY_TOO_SMALL: [
      'symbol: found 0.09 CODE, expected at least 0.1 CODE (parameter quantity).',
      'altında: gönderilen 0.09 CODE, en az 0.1 CODE (quantity parametresi).',
    ],
    TOTAL_TOO_SMALL: [
      'symbol: found 4.99 USDT, expected at least 5 USDT.',
      'altında: gönderilen 4.99 USDT, en az 5 USDT.',
    ],
    TOTAL_MISMATCH: [
      'quantity: found 10.00000001 USDT, expected 10 USDT (parameter total).',
      'değil: gönderilen 10.00000001 USDT, beklenen 10 USDT (total parametresi).',
    ],
    PRICE_OUT_OF_BAND: [
      'of this symbol: found 1000.01 USDT, expected 0.01 USDT to 1000 USDT (parameter price).',
      'dışında: gönderilen 1000.01 USDT, izin verilen 0.01 USDT ile 1000 USDT arası (price parametresi).',
    ],
    TOO_MANY_OPEN_ORDERS: ['symbol: at most 2; cancel', 'var: en fazla 2; önce'],
    TOO_MANY_PRICE_LEVELS: ['side: at most 1.', 'yok: en fazla 1.'],
  }

  for (const [reason, [en, tr]] of Object.entries(LIMITS)) {
    test(`${reason} names the limit and what was sent, in both languages`, async () => {
      const provoke = PROVOKE[reason as HttpReason]
      const english = await provoke(fixture, {})
      expect(english.body.msg[0]).toContain(en.replaceAll('CODE', tight.code))
      const turkish = await provoke(fixture, { 'Accept-Language': 'tr' })
      expect(turkish.body.msg[0]).toContain(tr.replaceAll('CODE', tight.code))
    })
  }

  test('the tables of provocations and the list of those from elsewhere are the whole catalogue', () =>
    expect([...Object.keys(PROVOKE), ...ELSEWHERE].sort()).toEqual([...REASON_NAMES].sort()))
})
