import { describe, expect, test } from 'bun:test'
import { FAULT_KINDS } from '../../../contract/admin/operations/faults.ts'
import type { SeenRequest } from '../faults/observer.ts'
import { judge, unchecked } from './judge.ts'
import { faultPlan } from './plan.ts'
import type { BotRecord, Fill, HeardReport } from './record.ts'
import { readReportLine } from './report-line.ts'

const ORDER = 'POST /api/v3/order'
const WALL_MS = 1_790_000_000_000

function request(endpoint: string, atMs: number, more: Partial<SeenRequest> = {}): SeenRequest {
  return {
    atMs,
    transport: endpoint.includes(' ') ? 'HTTP' : 'STREAM',
    endpoint,
    apiKey: 'key',
    text: '',
    status: 200,
    refusal: undefined,
    fault: undefined,
    retryAfterSeconds: undefined,
    ...more,
  }
}

const form = (id?: string, price = '1') =>
  `symbol=BTC/USDT&side=BUY&type=LIMIT&quantity=1&price=${price}&timestamp=1${id === undefined ? '' : `&newClientOrderId=${id}`}`

function record(more: Partial<BotRecord>): BotRecord {
  return {
    requests: [],
    stopAtMs: 60_000,
    end: 'TOLD',
    exitCode: 0,
    reports: [],
    unreadable: [],
    fills: [],
    openOrders: 0,
    ...more,
  }
}

const kinds = (more: Partial<BotRecord>) => judge(record(more)).map(({ kind, count }) => [kind, count])
const lost = (text: string, atMs = 1_000) => request(ORDER, atMs, { text, fault: 'LOST_ANSWER' })

describe('orders without an answer', () => {
  test.each<[string, readonly SeenRequest[]]>([
    ['is sent again under its id', [lost(form('a')), request(ORDER, 2_000, { text: form('a') })]],
    [
      'is asked for, and placed anew',
      [lost(form()), request('GET /api/v3/openOrders', 1_500), request(ORDER, 2_000, { text: form() })],
    ],
    [
      'is followed on the private feed',
      [lost(form()), request('subscribe', 1_500, { text: '["subscribe",{"channel":"orders"}]' })],
    ],
    ['is canceled with all others', [lost(form()), request('DELETE /api/v3/openOrders', 1_500)]],
    [
      'is canceled under its id',
      [
        lost(form('a')),
        request('DELETE /api/v3/order', 1_500, { text: 'cancelOrigClientOrderId=a' }),
        request(ORDER, 1_600, { text: form('b') }),
      ],
    ],
    ['was lost when the bot was told to stop', [lost(form(), 58_000)]],
  ])('a lost order that %s is no finding', (_, requests) => {
    expect(kinds({ requests })).toEqual([])
  })

  test('an order that is sent again without an id, or under another one, may be doubled', () => {
    const requests = [lost(form()), request(ORDER, 1_100, { text: form() })]
    expect(kinds({ requests })).toEqual([['DOUBLED_ORDER', 1]])
    const renamed = [lost(form('a')), request(ORDER, 1_100, { text: form('b') })]
    expect(kinds({ requests: renamed })).toEqual([['DOUBLED_ORDER', 1]])
  })

  test('an order over the stream is judged by the frame that placed it', () => {
    const frame = (id: number) =>
      `["order.place",${id},{"symbol":"BTC/USDT","side":"BUY","type":"LIMIT","quantity":1,"price":"1"}]`
    const requests = [
      request('order.place', 1_000, { text: frame(1), status: undefined, fault: 'LOST_ANSWER' }),
      request('order.place', 1_100, { text: frame(2), status: undefined }),
    ]
    expect(kinds({ requests })).toEqual([['DOUBLED_ORDER', 1]])
  })

  test('an order that the bot never asks for, while it continues with others, is forgotten', () => {
    const requests = [lost(form()), request(ORDER, 1_100, { text: form(undefined, '2') })]
    expect(kinds({ requests })).toEqual([['OUTCOME_NOT_ASKED', 1]])
  })
})

describe('waits, clocks and connections', () => {
  const limited = (atMs: number) =>
    request(ORDER, atMs, { status: undefined, fault: 'RATE_LIMIT', retryAfterSeconds: 5 })

  test('requests that were in flight when the bot was asked to wait are forgiven, later ones are not', () => {
    expect(kinds({ requests: [limited(0), limited(10), limited(20), limited(30)] })).toEqual([])
    expect(kinds({ requests: [limited(0), limited(5_000), limited(10_000)] })).toEqual([])
    expect(kinds({ requests: [limited(0), limited(1_500), limited(4_900)] })).toEqual([['LIMIT_IGNORED', 2]])
    expect(kinds({ requests: [limited(0), limited(4_999), limited(9_998)] })).toEqual([])
    expect(kinds({ requests: Array.from({ length: 10 }, (_, place) => limited(place)) })).toEqual([
      ['LIMIT_IGNORED', 6],
    ])
  })

  test('a client that opens a WebSocket cannot know that it has to wait, and makes no other client wait', () => {
    const opened = (atMs: number): SeenRequest => ({ ...limited(atMs), endpoint: 'GET /ws' })
    expect(kinds({ requests: [opened(0), opened(1_500), limited(1_600), opened(4_000)] })).toEqual([])
  })

  test('timestamps that are refused in a row are a finding, unless the time is requested in between', () => {
    const late = (atMs: number) =>
      request(ORDER, atMs, { status: 401, refusal: '{"reason":"TIMESTAMP_EXPIRED"}' })
    const row = [1, 2, 3, 4].map(late)
    expect(kinds({ requests: [...row, request('GET /api/v3/time', 5), ...row] })).toEqual([])
    expect(kinds({ requests: [...row, request(ORDER, 5), ...row] })).toEqual([])
    expect(kinds({ requests: [...row, request('GET /api/v3/depth', 5), late(6)] })).toEqual([
      ['CLOCK_IGNORED', 5],
    ])
  })

  test('more than eight connections within two seconds are hammering, polling is not', () => {
    const connect = (place: number) => request('GET /ws', place * 200)
    const poll = (place: number) =>
      request('GET /socket.io/', place, { text: 'EIO=4&transport=polling&sid=abc' })
    const many = (length: number, make: (place: number) => SeenRequest) =>
      Array.from({ length }, (_, i) => make(i))
    expect(kinds({ requests: many(8, connect) })).toEqual([])
    expect(kinds({ requests: many(100, poll) })).toEqual([])
    expect(kinds({ requests: many(9, connect) })).toEqual([['HAMMERING', 9]])
    expect(kinds({ requests: many(20, (place) => request('GET /ws', place * 1_000)) })).toEqual([])
  })

  test('the same permanent refusal three times is a finding; a refusal that depends on the moment is not', () => {
    const refused = (reason: string) => request(ORDER, 1, { status: 400, refusal: `{"reason":"${reason}"}` })
    const thrice = (reason: string) => Array.from({ length: 3 }, () => refused(reason))
    expect(kinds({ requests: thrice('TOO_MANY_DECIMALS') })).toEqual([['REFUSAL_REPEATED', 3]])
    expect(kinds({ requests: thrice('INSUFFICIENT_FUNDS') })).toEqual([])
    expect(kinds({ requests: thrice('TOO_MANY_DECIMALS').slice(1) })).toEqual([])
  })

  test.each([
    ['PRICE_NOT_ON_TICK', 'round prices and quantities'],
    ['MISSING_PARAMETER', 'names the parameter'],
    ['INVALID_SIGNATURE', '/signature/check'],
  ])('of %s the advice is to %s', (reason, advice) => {
    const refused = request(ORDER, 1, { status: 400, refusal: `{"reason":"${reason}"}` })
    const [finding] = judge(record({ requests: [refused, refused, refused] }))
    expect(finding?.message).toContain(`(${ORDER}: ${reason}). `)
    expect(finding?.message).toContain(advice)
  })
})

describe('what a bot reports', () => {
  const fill = (more: Partial<Fill> = {}): Fill => ({
    symbol: 'BTC/USDT',
    side: 'BUY',
    quantity: '0.5',
    total: '30000.25',
    commission: '0.0005',
    commissionAsset: 'BTC',
    time: WALL_MS - 60_000,
    ...more,
  })
  const said = (report: HeardReport['report'], isBookTrue?: boolean): HeardReport => ({
    wallMs: WALL_MS,
    report,
    isBookTrue,
  })

  test('fills and position are exact, commission included', () => {
    const sold = fill({
      side: 'SELL',
      quantity: '0.2',
      total: '12000.1',
      commission: '12.0001',
      commissionAsset: 'USDT',
    })
    const fills = [fill(), sold]
    const position = { BTC: '0.2995', USDT: '-18012.1501' }
    expect(kinds({ fills, reports: [said({ fills: 2, position })] })).toEqual([])
    expect(kinds({ fills, reports: [said({ fills: 1, position: { BTC: '0.3' } })] })).toEqual([
      ['FILLS_WRONG', 1],
      ['POSITION_WRONG', 1],
    ])
  })

  test('only the last report counts, and what has just happened need not be in it', () => {
    const fills = [fill(), fill({ time: WALL_MS - 1_000 })]
    for (const count of [1, 2])
      expect(kinds({ fills, reports: [said({ fills: 7 }), said({ fills: count })] })).toEqual([])
    expect(kinds({ fills, reports: [said({ position: { BTC: '0.4995' } })] })).toEqual([])
    expect(kinds({ fills, reports: [said({ fills: 0 })] })).toEqual([['FILLS_WRONG', 2]])
  })

  test('three wrong books are a drift, two are not', () => {
    const book = { symbol: 'BTC/USDT', bid: '1', ask: '2' }
    expect(kinds({ reports: [said({ book }, false), said({ book }, true), said({ book }, false)] })).toEqual(
      [],
    )
    expect(kinds({ reports: Array.from({ length: 3 }, () => said({ book }, false)) })).toEqual([
      ['BOOK_DRIFTED', 3],
    ])
  })

  test.each([
    ['GRADE {"fills":1,"position":{"BTC":"-0.5"},"book":{"symbol":"A/B","bid":"1","ask":"2"}}', undefined],
    ['GRADE fills', 'expected JSON after GRADE'],
    ['GRADE {"fills":-1}', 'fills: '],
    ['GRADE {"position":{"BTC":0.5}}', 'position.BTC: '],
    ['GRADE {"balance":1}', 'the line: '],
  ])('a line such as %s is read, or refused with what is wrong', (line, problem) => {
    const read = readReportLine(line)
    if (problem === undefined) expect(read).toMatchObject({ fills: 1, position: { BTC: '-0.5' } })
    else expect(read).toStartWith(problem)
    expect(readReportLine('grade is fine')).toBeUndefined()
  })

  test('missing reports, and faults that were not met, are listed', () => {
    expect(unchecked(record({}))).toEqual(['fills', 'position', 'book', 'lost answers'])
    expect(unchecked(record({ requests: [lost(form('a'))], reports: [said({ fills: 0 })] }))).toEqual([
      'position',
      'book',
    ])
  })
})

test('the end of a bot is checked: by itself, killed, with orders left, with unreadable lines', () => {
  expect(kinds({ end: 'BY_ITSELF' })).toEqual([['ENDED_EARLY', 1]])
  expect(kinds({ end: 'KILLED', exitCode: null, openOrders: 2, unreadable: ['fills: no'] })).toEqual([
    ['REPORT_UNREADABLE', 1],
    ['DID_NOT_STOP', 1],
    ['ORDERS_LEFT', 2],
  ])
})

test('a plan of faults is the same for the same seed, begins and ends without faults, and has every kind that clients meet', () => {
  const plan = faultPlan(3, 60)
  expect(faultPlan(3, 60)).toEqual(plan)
  expect(Math.min(...plan.map(({ fromMs }) => fromMs))).toBe(6_000)
  expect(Math.max(...plan.map(({ toMs }) => toMs))).toBeLessThan(50_000)
  const kindsOfPlan = new Set(plan.map(({ request }) => request.kind))
  // If nothing is traded, a bot cannot show that it behaves correctly.
  expect(kindsOfPlan).toEqual(new Set(FAULT_KINDS.filter((kind) => kind !== 'HALT')))
})
