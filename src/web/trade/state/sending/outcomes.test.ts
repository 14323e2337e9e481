import { describe, expect, test } from 'bun:test'
import { BourseError } from '../../../../client/errors.ts'
import type { Resolution } from '../../../../client/http/placements.ts'
import type { PlaceOptions } from '../../../../client/requests.ts'
import { keptStorage } from '../../../shared/browser-storage.fixture.ts'
import { browserAttempts, type KeptAttempt } from './attempt-store.ts'
import { type Found, Outcomes, type PlacedThing } from './outcomes.ts'

const ATTEMPTED = { clientOrderId: 'b-1', deadline: 6_000, firstAttempt: 1_000 }
const UNKNOWN = new BourseError('NO_ANSWER', 'none came', { outcome: 'UNKNOWN', ...ATTEMPTED })

type Answer = Resolution<PlacedThing>
const ORDER = { symbol: 'BTC/USDT', side: 'BUY', type: 'LIMIT', quantity: '1', price: '5' } as const
const PLACED: Answer = { kind: 'PLACED', found: { id: 'order-1', orders: [ORDER] } }
const NOT_YET: Answer = { kind: 'UNKNOWN', error: UNKNOWN }

/** A browser and an exchange whose answers the test gives one by one. */
function setUp(kept: Readonly<Record<string, string>> = {}, { isFull = false } = {}) {
  const browser = keptStorage(kept, { isFull })
  const asked: {
    readonly attempt: KeptAttempt
    readonly answer: (resolution: Answer) => void
    readonly fail: (error: unknown) => void
  }[] = []
  const pauses: (() => void)[] = []
  const locks = new Map<string, Promise<void>>()
  let time = 7_000
  const page = (apiKey = 'alice') => {
    const found: Found[] = []
    const notKept: string[] = []
    const outcomes = new Outcomes({
      apiKey,
      store: browserAttempts(browser.tab()),
      ask: (attempt) => new Promise((answer, fail) => asked.push({ attempt, answer, fail })),
      alone: (name, work) => {
        const done = (locks.get(name) ?? Promise.resolve()).then(work)
        locks.set(name, done)
        return done
      },
      now: async () => time,
      pause: () => new Promise((resolve) => pauses.push(resolve)),
      onFound: (each) => found.push(each),
      onNotKept: () => notKept.push('said'),
    })
    return { outcomes, found, notKept }
  }
  const pass = async () => {
    for (const resolve of pauses.splice(0)) resolve()
    await turns()
  }
  return { ...browser, page, asked, pass, setTime: (ms: number) => (time = ms) }
}

const turns = () => new Promise((resolve) => setImmediate(resolve))

/** A call whose request is sent, and whose answer never arrives. */
function swallowed(options: PlaceOptions): Promise<string> {
  options.onAttempt?.(ATTEMPTED)
  return new Promise(() => {})
}

describe('an order that was sent', () => {
  test('is stored before it is sent, without anything secret, and no longer than its outcome is open', async () => {
    const { page, values } = setUp()
    const { outcomes } = page()
    let keptThen: readonly (readonly [string, string])[] = []
    const placement = await outcomes.of('ORDER', async ({ onAttempt, sendAgain }) => {
      onAttempt?.(ATTEMPTED)
      keptThen = [...values]
      expect(sendAgain).toBe(false)
      return 'order-1'
    })
    expect(placement).toEqual({ kind: 'PLACED', id: 'order-1' })
    expect(keptThen).toEqual([
      ['bourse-attempt-b-1', '{"deadline":6000,"firstAttempt":1000,"what":"ORDER","apiKey":"alice"}'],
    ])
    expect(values.size).toBe(0)
  })

  test('whose answer is lost is looked up until its outcome is known, and blocks others meanwhile', async () => {
    for (const [last, expected] of [
      [PLACED, { kind: 'PLACED', id: 'order-1' }],
      [{ kind: 'NEVER' }, { kind: 'NEVER' }],
    ] as const) {
      const { page, asked, pass, values } = setUp()
      const { outcomes } = page()
      const placing = outcomes.of('ORDER', async ({ onAttempt }) => {
        onAttempt?.(ATTEMPTED)
        throw UNKNOWN
      })
      await turns()
      asked[0]?.answer(NOT_YET)
      await turns()
      expect([outcomes.unknown.value, values.size]).toEqual(['b-1', 1])
      await pass()
      asked[1]?.answer(last)
      expect(await placing).toEqual(expected)
      expect([outcomes.unknown.value, values.size]).toEqual([undefined, 0])
    }
  })

  test('is looked up where the error says nothing about it, and lookups continue where they fail too', async () => {
    const { page, asked, pass, values } = setUp()
    const placing = page().outcomes.of('ORDER', async ({ onAttempt }) => {
      onAttempt?.(ATTEMPTED)
      throw new TypeError('broken')
    })
    await turns()
    asked[0]?.fail(new TypeError('broken too'))
    await turns()
    expect(values.size).toBe(1)
    await pass()
    asked[1]?.answer(PLACED)
    expect(await placing).toEqual({ kind: 'PLACED', id: 'order-1' })
  })

  test('that the browser does not store is still sent once, with a notice before, and looked up by this page', async () => {
    const { page, asked, values } = setUp({}, { isFull: true })
    const { outcomes, notKept } = page()
    const saidBefore: boolean[] = []
    const send = async ({ onAttempt }: PlaceOptions): Promise<string> => {
      onAttempt?.(ATTEMPTED)
      saidBefore.push(notKept.length === 1 && outcomes.isNotKept.value)
      throw UNKNOWN
    }
    for (const answered of [1, 2]) {
      const placing = outcomes.of('ORDER', send)
      await turns()
      asked[answered - 1]?.answer(PLACED)
      expect(await placing).toEqual({ kind: 'PLACED', id: 'order-1' })
    }
    expect([saidBefore, notKept, values.size]).toEqual([[true, true], ['said'], 0])
  })

  test('is not blocked by a deadline that has passed where the browser stops storing it', async () => {
    const { page, values, fill } = setUp()
    const { outcomes, notKept } = page()
    void outcomes.of('ORDER', ({ onAttempt }) => {
      onAttempt?.(ATTEMPTED)
      fill()
      onAttempt?.({ ...ATTEMPTED, deadline: 9_000 })
      return new Promise(() => {})
    })
    expect([values.size, notKept]).toEqual([0, ['said']])
  })

  test('is looked up by the page that is loaded after the one that has sent it', async () => {
    const { page, asked, values } = setUp()
    void page().outcomes.of('LIST', swallowed)
    const reloaded = setUp(Object.fromEntries(values))
    const { outcomes, found } = reloaded.page()
    expect(outcomes.unknown.value).toBe('b-1')
    await turns()
    expect(asked).toEqual([])
    reloaded.asked[0]?.answer(PLACED)
    await turns()
    expect(found).toMatchObject([
      { kind: 'PLACED', placed: { orders: [ORDER] }, attempt: { what: 'LIST', clientOrderId: 'b-1' } },
    ])
    expect([outcomes.unknown.value, reloaded.values.size]).toEqual([undefined, 0])
  })

  test('is looked up by one page alone, and never reported as not placed while a later attempt may be', async () => {
    const { page, asked, pass, values } = setUp()
    const own = page()
    let again: PlaceOptions['onAttempt']
    let answer: (id: string) => void = () => {}
    const placing = own.outcomes.of('ORDER', ({ onAttempt }) => {
      onAttempt?.(ATTEMPTED)
      again = onAttempt
      return new Promise((resolve) => {
        answer = resolve
      })
    })
    const other = page()
    expect(other.outcomes.unknown.value).toBe('b-1')
    again?.({ ...ATTEMPTED, deadline: 9_000 })
    await pass()
    expect(asked).toEqual([])
    answer('order-1')
    expect(await placing).toEqual({ kind: 'PLACED', id: 'order-1' })
    await pass()
    expect([other.outcomes.unknown.value, other.found, values.size, asked]).toEqual([undefined, [], 0, []])
  })

  test('is not looked up once its key was removed, and what other tabs write is ignored', async () => {
    const { page, asked, pass, listeners } = setUp()
    const { outcomes } = page()
    const other = page()
    expect(listeners()).toBe(2)
    outcomes.close()
    expect(listeners()).toBe(1)
    void other.outcomes.of('ORDER', swallowed)
    await pass()
    expect([outcomes.unknown.value, asked]).toEqual([undefined, []])
  })

  test('with another key stays stored, and blocks nothing', async () => {
    const { page, values } = setUp()
    void page().outcomes.of('ORDER', swallowed)
    const { outcomes } = page('bob')
    expect([outcomes.unknown.value, values.size]).toEqual([undefined, 1])
  })

  test('more than a day ago, and never resolved, blocks nothing', async () => {
    const { values, page, asked, setTime } = setUp({
      'bourse-attempt-b-1': '{"deadline":6000,"firstAttempt":1000,"what":"ORDER","apiKey":"alice"}',
      'bourse-attempt-b-2': '{"deadline":"6000"}',
    })
    setTime(1_000 + 24 * 3_600_000)
    const { outcomes, found } = page()
    await turns()
    asked[0]?.answer(NOT_YET)
    await turns()
    expect(found).toMatchObject([{ kind: 'LOST' }])
    expect([outcomes.unknown.value, [...values.keys()]]).toEqual([undefined, ['bourse-attempt-b-2']])
  })

  test('stays stored where the page ends before its outcome is known', async () => {
    const { page, asked, values } = setUp()
    const { outcomes } = page()
    const placing = outcomes.of('ORDER', async ({ onAttempt }) => {
      onAttempt?.(ATTEMPTED)
      throw UNKNOWN
    })
    await turns()
    outcomes.close()
    asked[0]?.answer(NOT_YET)
    await turns()
    expect((await Promise.race([placing, turns()])) ?? 'open').toBe('open')
    expect(values.size).toBe(1)
  })

  test('is never reported as not placed by an answer about an attempt before the last one', async () => {
    const { page, asked, pass } = setUp()
    const sent: { again?: () => void } = {}
    const placing = page().outcomes.of('ORDER', async ({ onAttempt }) => {
      onAttempt?.(ATTEMPTED)
      sent.again = () => onAttempt?.({ ...ATTEMPTED, deadline: 9_000 })
      throw UNKNOWN
    })
    await turns()
    sent.again?.()
    asked[0]?.answer({ kind: 'NEVER' })
    await turns()
    expect((await Promise.race([placing, turns()])) ?? 'open').toBe('open')
    await pass()
    expect(asked.map(({ attempt }) => attempt.deadline)).toEqual([6_000, 9_000])
    asked[1]?.answer(PLACED)
    expect(await placing).toEqual({ kind: 'PLACED', id: 'order-1' })
  })

  test('that is refused is no longer stored', async () => {
    const { page, values } = setUp()
    const error = new BourseError('REFUSED', 'no', { outcome: 'NOT_DONE' })
    const placement = await page().outcomes.of('ORDER', async ({ onAttempt }) => {
      onAttempt?.(ATTEMPTED)
      throw error
    })
    expect([placement, values.size]).toEqual([{ kind: 'REFUSED', error }, 0])
  })
})
