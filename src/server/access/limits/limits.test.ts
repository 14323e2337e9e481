import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { perMinuteText } from '../../../contract/rate-limit-texts.ts'
import type { AccountId } from '../../../units/ids.ts'
import type { TimeMs } from '../../../units/quantities.ts'
import { AddressLimits } from './address-limits.ts'
import { DEFAULT_LIMITS, type LimitsConfig } from './limits-config.ts'
import { OrderLimits, orderTermsIn } from './order-limits.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const CONFIG: LimitsConfig = {
  ...DEFAULT_LIMITS,
  weightPerMinuteMax: 10,
  refusalsBeforeBan: 2,
  malformedPerMinuteMax: 3,
  openingsPerMinuteMax: 4,
  entriesMax: 5,
}

/** One address that requests `weight` at a time, on a clock that tests move. */
class Caller {
  time = MINUTE as TimeMs
  readonly limits: AddressLimits
  readonly address: string

  constructor(limits = new AddressLimits(CONFIG), address = '192.0.2.1') {
    this.limits = limits
    this.address = address
  }

  ask(weight = 1): { reason: string; seconds: unknown } | undefined {
    const use = this.limits.use(this.address, this.time)
    const refusal = this.limits.admit(this.address, use, weight, this.time)
    return refusal && { reason: refusal.reason, seconds: refusal.args.seconds }
  }

  open(): { reason: string; args: Readonly<Record<string, unknown>> } | undefined {
    const refusal = this.limits.chargeOpening(this.address, this.time)
    return refusal && { reason: refusal.reason, args: refusal.args }
  }

  malformed(): void {
    this.limits.noteMalformed(this.limits.use(this.address, this.time))
  }

  /** Uses up the minute's weight and continues until banned; returns the length of the ban in seconds. */
  getBanned(): unknown {
    for (let requests = 0; requests < 20; requests++) {
      const refusal = this.ask(5)
      if (refusal?.reason === 'BANNED') return refusal.seconds
    }
    throw new Error('never banned')
  }
}

describe('weight', () => {
  test('is refused beyond the limit of the minute, with the seconds until the next one', () => {
    const caller = new Caller()
    expect(caller.ask(10)).toBeUndefined()
    caller.time = (MINUTE + 15_001) as TimeMs
    expect(caller.ask()).toEqual({ reason: 'RATE_LIMITED', seconds: 45 })
    caller.time = (2 * MINUTE) as TimeMs
    expect(caller.ask(10)).toBeUndefined()
  })

  test('of a refused request is not taken', () => {
    const caller = new Caller()
    caller.ask(8)
    expect(caller.ask(3)?.reason).toBe('RATE_LIMITED')
    expect(caller.ask(2)).toBeUndefined()
  })

  test('is counted for each address alone', () => {
    const limits = new AddressLimits(CONFIG)
    new Caller(limits).ask(10)
    expect(new Caller(limits, '192.0.2.2').ask(10)).toBeUndefined()
  })

  test('never exceeds the limit in a minute', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ weight: fc.integer({ min: 1, max: 12 }), wait: fc.nat(20_000) })),
        (steps) => {
          const caller = new Caller(new AddressLimits({ ...CONFIG, refusalsBeforeBan: 1e9 }))
          const takenByMinute = new Map<number, number>()
          for (const { weight, wait } of steps) {
            caller.time = (caller.time + wait) as TimeMs
            const minute = Math.floor(caller.time / MINUTE)
            const taken = takenByMinute.get(minute) ?? 0
            expect(caller.ask(weight) === undefined).toBe(taken + weight <= 10)
            if (taken + weight <= 10) takenByMinute.set(minute, taken + weight)
          }
        },
      ),
    )
  })
})

describe('openings of stream connections', () => {
  test('beyond those of the minute are refused, with the limit, its figure and the seconds until the next minute', () => {
    const caller = new Caller()
    caller.time = (MINUTE + 15_001) as TimeMs
    for (let opened = 0; opened < CONFIG.openingsPerMinuteMax; opened++) expect(caller.open()).toBeUndefined()
    expect(caller.open()).toEqual({
      reason: 'RATE_LIMITED',
      args: { limit: perMinuteText('openings', CONFIG.openingsPerMinuteMax, undefined), seconds: 45 },
    })
    expect(perMinuteText('openings', 4, undefined).en).toMatch(
      /^4 new stream connections .*limits\.openingsPerMinuteMax/,
    )
    expect(new Caller(caller.limits, '192.0.2.2').open()).toBeUndefined()
    caller.time = (2 * MINUTE) as TimeMs
    expect(caller.open()).toBeUndefined()
  })

  test('and weight are counted apart', () => {
    const caller = new Caller()
    caller.ask(CONFIG.weightPerMinuteMax)
    for (let opened = 0; opened < CONFIG.openingsPerMinuteMax; opened++) expect(caller.open()).toBeUndefined()
    expect([caller.open()?.reason, caller.ask()?.reason]).toEqual(['RATE_LIMITED', 'RATE_LIMITED'])
  })

  test('that continue after the refusal end in a ban, which a banned address does not lengthen by opening more', () => {
    const caller = new Caller()
    const reasons = Array.from({ length: 8 }, () => caller.open()?.reason ?? 'OK')
    expect(reasons).toEqual([
      ...Array.from({ length: CONFIG.openingsPerMinuteMax }, () => 'OK'),
      ...['RATE_LIMITED', 'RATE_LIMITED', 'BANNED', 'BANNED'],
    ])
    for (let more = 0; more < 20; more++) expect(caller.open()?.args).toEqual({ seconds: 120 })
    expect(caller.ask()?.reason).toBe('BANNED')
  })

  test('are not refused where limits are switched off', () => {
    const caller = new Caller(new AddressLimits({ ...CONFIG, isEnabled: false }))
    for (let opened = 0; opened < 50; opened++) expect(caller.open()).toBeUndefined()
    expect(caller.limits.use(caller.address, caller.time).openings).toBe(50)
  })
})

describe('a ban', () => {
  test('follows requests after a 429, and not for stopping at it', () => {
    const caller = new Caller()
    caller.ask(10)
    expect([caller.ask()?.reason, caller.ask()?.reason, caller.ask()?.reason]).toEqual([
      'RATE_LIMITED',
      'RATE_LIMITED',
      'BANNED',
    ])
    const other = new Caller()
    other.ask(10)
    other.ask()
    other.time = (2 * MINUTE) as TimeMs
    expect(other.ask()).toBeUndefined()
  })

  test('lasts two minutes, across the turn of the minute, and ends', () => {
    const caller = new Caller()
    expect(caller.getBanned()).toBe(120)
    caller.time = (3 * MINUTE - 1) as TimeMs
    expect(caller.ask()).toEqual({ reason: 'BANNED', seconds: 1 })
    caller.time = (3 * MINUTE) as TimeMs
    expect(caller.ask()).toBeUndefined()
  })

  test('doubles each time up to three days, and is forgotten after as long without one', () => {
    const caller = new Caller()
    const seconds: number[] = []
    for (let ban = 0; ban < 14; ban++) {
      seconds.push(Number(caller.getBanned()))
      caller.time = (caller.time + Number(seconds.at(-1)) * 1000) as TimeMs
    }
    expect(seconds.slice(0, 3)).toEqual([120, 240, 480])
    expect(seconds.at(-1)).toBe((3 * DAY) / 1000)
    caller.time = (caller.time + 3 * DAY) as TimeMs
    expect(caller.getBanned()).toBe(120)
  })
})

test('a lifted ban leaves nothing of what led to it: the next one takes as many refusals', () => {
  const caller = new Caller()
  caller.getBanned()
  expect(caller.limits.lift(caller.address)).toBe(true)
  expect([caller.ask()?.reason, caller.ask()?.reason, caller.ask()?.reason]).toEqual([
    'RATE_LIMITED',
    'RATE_LIMITED',
    'BANNED',
  ])
})

test('a renewed ban is the newest, and displaces no other in a full table', () => {
  const limits = new AddressLimits(CONFIG)
  const callers = ['a', 'b', 'c', 'd', 'e'].map((address) => new Caller(limits, address))
  const bans = () => limits.bans(MINUTE as TimeMs).map(({ address }) => address)
  for (const caller of callers) caller.getBanned()
  expect(bans()).toEqual(['a', 'b', 'c', 'd', 'e'])
  const [, second] = callers as [Caller, Caller]
  second.time = (5 * MINUTE) as TimeMs
  second.getBanned()
  expect(bans()).toEqual(['a', 'c', 'd', 'e', 'b'])
  new Caller(limits, 'f').getBanned()
  expect(bans()).toEqual(['c', 'd', 'e', 'b', 'f'])
})

test('too many malformed requests block an address for the rest of the minute', () => {
  const caller = new Caller()
  for (let times = 0; times < 2; times++) caller.malformed()
  expect(caller.ask()).toBeUndefined()
  caller.malformed()
  expect(caller.ask()?.reason).toBe('WAF')
  caller.time = (2 * MINUTE) as TimeMs
  expect(caller.ask()).toBeUndefined()
})

test('disconnected streams count as malformed requests, and too many of them lead to a ban', () => {
  const caller = new Caller(new AddressLimits({ ...CONFIG, refusalsBeforeBan: 29 }))
  const cutOff = () => caller.limits.noteFlood(caller.address, caller.time)
  for (let times = 0; times < 2; times++) cutOff()
  expect(caller.ask()).toBeUndefined()
  cutOff()
  expect(caller.ask()?.reason).toBe('BANNED')
  caller.limits.lift(caller.address)
  expect(caller.ask()?.reason).toBe('WAF')
})

test('a flood of addresses takes bounded memory: the oldest is dropped first', () => {
  const limits = new AddressLimits(CONFIG)
  new Caller(limits, 'first').ask(10)
  for (let other = 0; other < 4; other++) new Caller(limits, `other ${other}`).ask()
  expect(new Caller(limits, 'first').ask()?.reason).toBe('RATE_LIMITED')
  new Caller(limits, 'one more').ask()
  expect(new Caller(limits, 'first').ask()).toBeUndefined()
})

test('nothing is refused with limits off, and weight is still counted', () => {
  const caller = new Caller(new AddressLimits({ ...CONFIG, isEnabled: false }))
  for (let times = 0; times < 50; times++) {
    caller.malformed()
    caller.limits.noteFlood(caller.address, caller.time)
    expect(caller.ask(100)).toBeUndefined()
  }
  expect(caller.limits.use(caller.address, caller.time).weight).toBe(5_000)
})

describe('orders', () => {
  const windows = [
    { name: '10S', windowMs: 10_000, ordersMax: 2 },
    { name: '1D', windowMs: DAY, ordersMax: 3 },
  ]
  const take = (limits: OrderLimits, account: number, time: number) => {
    const who = [account as AccountId, time as TimeMs] as const
    const refusal = limits.take(...who, 1)
    return refusal === undefined
      ? limits.counts(...who).map(({ count }) => count)
      : `${refusal.reason} ${refusal.args.seconds}`
  }

  test('are counted per account in every window, and refused in the first that is full', () => {
    const limits = new OrderLimits({ ...CONFIG, orderWindows: windows })
    expect(take(limits, 1, 0)).toEqual([1, 1])
    expect(take(limits, 1, 1)).toEqual([2, 2])
    expect(take(limits, 1, 2_000)).toBe('ORDER_RATE_LIMITED 8')
    expect(take(limits, 2, 2_000)).toEqual([1, 1])
    expect(take(limits, 1, 10_000)).toEqual([1, 3])
    expect(take(limits, 1, 20_000)).toBe('ORDER_RATE_LIMITED 86380')
    expect(take(limits, 1, DAY)).toEqual([1, 1])
  })

  test('that began in a window that is over count in the present one, and start no other', () => {
    const limits = new OrderLimits({ ...CONFIG, orderWindows: windows })
    expect([take(limits, 1, 20_000), take(limits, 1, 20_000)]).toEqual([
      [1, 1],
      [2, 2],
    ])
    // Its body arrived late: the request itself belongs to the previous window.
    expect(take(limits, 2, 19_999)).toEqual([1, 1])
    expect(take(limits, 1, 20_001)).toBe('ORDER_RATE_LIMITED 10')
    expect(take(limits, 2, 20_001)).toEqual([2, 2])
    expect(limits.uses(1 as AccountId, 19_999 as TimeMs)[0]).toMatchObject({ used: 2, resetAt: 30_000 })
  })

  test('that another gateway has counted are added to those here, of several that know of some the largest, and of a past window none', () => {
    const limits = new OrderLimits({ ...CONFIG, orderWindows: windows })
    const [one, two] = [1 as AccountId, 2 as AccountId]
    expect(take(limits, 1, 10_000)).toEqual([1, 1])
    limits.carry(one, 10_001 as TimeMs, [0, 1])
    limits.carry(one, 10_002 as TimeMs, [1, 2])
    limits.carry(one, 10_003 as TimeMs, [0, 1])
    limits.carry(two, 9_999 as TimeMs, [2, 2])
    expect(limits.counted(10_004 as TimeMs)).toEqual([
      [one, [2, 3]],
      [two, [0, 2]],
    ])
    expect(take(limits, 1, 10_004)).toBe('ORDER_RATE_LIMITED 10')
    expect(limits.counted(20_000 as TimeMs)).toEqual([
      [one, [0, 3]],
      [two, [0, 2]],
    ])
  })

  test('are more for an account whose terms allow it, in every window, until they end', () => {
    const limits = new OrderLimits({ ...CONFIG, orderWindows: windows })
    const orderRate = { times: 2, until: 20_000 as TimeMs }
    const account = { id: 1 as AccountId, name: 'maker', role: 'trader', createdAt: 0 as TimeMs } as const
    const registry = {
      account: (id: AccountId) => ({ ...account, id, ...(id === 1 ? { special: { orderRate } } : {}) }),
    }
    limits.heed(orderTermsIn(registry))
    const uses = (id: number, now: number) => limits.uses(id as AccountId, now as TimeMs)
    for (let orders = 1; orders <= 4; orders++) expect(take(limits, 1, 0)).toEqual([orders, orders])
    expect(take(limits, 1, 1)).toBe('ORDER_RATE_LIMITED 10')
    expect([take(limits, 2, 1), take(limits, 2, 1), take(limits, 2, 1)]).toEqual([
      [1, 1],
      [2, 2],
      'ORDER_RATE_LIMITED 10',
    ])
    expect(uses(1, 1)).toMatchObject([
      { used: 4, max: 4, limitUntil: 20_000 },
      { used: 4, max: 6, limitUntil: 20_000 },
    ])
    expect(uses(2, 1)).toMatchObject([{ used: 2, max: 2, limitUntil: undefined }, { max: 3 }])
    expect(take(limits, 1, 19_999)).toEqual([1, 5])
    // Earlier counts are kept.
    expect(take(limits, 1, 20_000)).toBe('ORDER_RATE_LIMITED 86380')
    expect(uses(1, 20_000)).toMatchObject([
      { used: 0, max: 2 },
      { used: 5, max: 3 },
    ])
  })

  test('with limits off are only counted', () => {
    const limits = new OrderLimits({ ...CONFIG, isEnabled: false, orderWindows: windows })
    for (let orders = 1; orders < 10; orders++) expect(take(limits, 1, 0)).toEqual([orders, orders])
  })
})

describe('the networks of an IPv6 address', () => {
  const config = { ...CONFIG, entriesMax: 10_000 }
  /** The /64 network with a number: 256 of them are in one /56, and all of them in one /48. */
  const network = (number: number): string => `2001:db8:1:${number.toString(16)}::/64`
  const callersOf = (count: number, of: (number: number) => string, limits: AddressLimits) =>
    Array.from({ length: count }, (_, at) => new Caller(limits, of(at)))

  test.each([
    ['/56', 4, network],
    ['/48', 16, (number: number) => network(number * 256)],
  ] as const)(
    'of one %s have the weight of %i addresses together, and others have theirs',
    (_name, max, of) => {
      const limits = new AddressLimits(config)
      const callers = callersOf(max + 1, of, limits)
      const refused = callers.flatMap((caller) => caller.ask(config.weightPerMinuteMax)?.reason ?? [])
      expect(refused).toEqual(['RATE_LIMITED'])
      expect(new Caller(limits, '2001:db8:2:0::/64').ask(config.weightPerMinuteMax)).toBeUndefined()
      expect(new Caller(limits).ask(config.weightPerMinuteMax)).toBeUndefined()
    },
  )

  test('are banned together when all of them continue, and the ban can be lifted', () => {
    const limits = new AddressLimits(config)
    const banned: string[] = []
    limits.onBan = (address) => void banned.push(address)
    const callers = callersOf(14, network, limits)
    for (const caller of callers) caller.ask(config.weightPerMinuteMax)
    for (const caller of callers) caller.ask(config.weightPerMinuteMax)
    expect(banned).toEqual(['2001:db8:1:0::/56'])
    expect(new Caller(limits, network(200)).ask(0)?.reason).toBe('BANNED')
    expect(new Caller(limits, network(256)).ask(0)).toBeUndefined()
    expect(limits.lift('2001:db8:1:0::/56')).toBe(true)
    expect(new Caller(limits, network(200)).ask(0)).toBeUndefined()
  })

  test('have the connections of the stream that they open counted together, and the refusal says for which network', () => {
    const limits = new AddressLimits({ ...config, refusalsBeforeBan: 1_000 })
    const most = 4 * config.openingsPerMinuteMax
    for (const caller of callersOf(most, network, limits)) expect(caller.open()).toBeUndefined()
    const limit = perMinuteText('openings', most, '2001:db8:1:0::/56')
    expect(new Caller(limits, network(250)).open()?.args).toMatchObject({ limit })
    expect(new Caller(limits, network(256)).open()).toBeUndefined()
  })

  test('have their malformed requests counted together', () => {
    const limits = new AddressLimits(config)
    for (const caller of callersOf(4 * config.malformedPerMinuteMax, network, limits)) caller.malformed()
    expect(new Caller(limits, network(250)).ask()?.reason).toBe('WAF')
    expect(new Caller(limits, network(256)).ask()).toBeUndefined()
  })
})

describe('counts of other gateways', () => {
  const OF_OTHERS = { weight: 10, refusals: 1, malformed: 2, openings: 0 }

  test('in a minute that is over are ignored, and in this one they count', () => {
    const caller = new Caller()
    caller.ask(0)
    caller.limits.addUse(caller.address, 0, OF_OTHERS)
    expect(caller.ask(10)).toBeUndefined()
    caller.limits.addUse('192.0.2.2', 1, OF_OTHERS)
    expect(new Caller(caller.limits, '192.0.2.2').ask()?.reason).toBe('RATE_LIMITED')
  })

  const windows = { ...CONFIG, orderWindows: [{ name: '1M', windowMs: MINUTE, ordersMax: 10 }] }
  const account = 7 as AccountId
  const at = (ms: number): TimeMs => ms as TimeMs

  test('of orders are given back to the window in which they were counted, and to no later one', () => {
    const orders = new OrderLimits(windows)
    orders.take(account, at(MINUTE), 2)
    orders.take(account, at(2 * MINUTE), 3)
    expect(orders.giveBack(account, at(2 * MINUTE - 1))[0]?.count).toBe(3)
    expect(orders.giveBack(account, at(2 * MINUTE))[0]?.count).toBe(2)
    expect(orders.counts(account, at(2 * MINUTE))[0]?.count).toBe(2)
  })

  test('of orders in a past window neither replace nor add to the present count', () => {
    const orders = new OrderLimits(windows)
    orders.take(account, at(2 * MINUTE), 3)
    orders.set(account, at(2 * MINUTE - 1), [9])
    orders.carry(account, at(2 * MINUTE - 1), [9])
    expect(orders.counts(account, at(2 * MINUTE))[0]?.count).toBe(3)
    orders.set(account, at(2 * MINUTE), [5])
    orders.carry(account, at(2 * MINUTE), [1])
    expect(orders.counts(account, at(2 * MINUTE))[0]?.count).toBe(6)
  })
})
