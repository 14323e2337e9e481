/**
 * Rules for the numbered feed in every store of history. A driver's contract suite calls this with a function
 * that makes an empty store.
 */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { EVENT_KINDS, type EventKind } from '../../units/event-enums.ts'
import type { AccountId } from '../../units/ids.ts'
import type { Seq, TimeMs } from '../../units/quantities.ts'
import { EVENTS_READ_MAX, type EventPage, type EventQuery } from '../port/ports.ts'
import type { HistoryStore, HistoryTrade, PastEventRange } from './history.ts'
import { aTrade, at } from './history-trades.fixture.ts'
import {
  eventNumber,
  type FactKind,
  type FeedEvent,
  fillNumber,
  lastNumberOf,
  MAIN_PLACE,
  type NumberedEvent,
} from './numbered-events.ts'

const ALL: EventQuery = {
  after: 0,
  upTo: 1_000_000 as Seq,
  limit: 1_000,
  kinds: undefined,
  accountId: undefined,
}

export function eventContract(open: () => Promise<HistoryStore>, store: () => HistoryStore): void {
  const page = async (terms: Partial<EventQuery> = {}): Promise<EventPage> => {
    const answer = await store().events({ ...ALL, ...terms })
    if (answer.kind !== 'PAGE') throw new Error(`expected a page, found ${answer.kind}`)
    return answer
  }

  test('facts and trades come by number, oldest first, with the number from which to continue', async () => {
    const trades = [
      aTrade({ number: 1, seq: 2 }),
      aTrade({ number: 2, seq: 2 }),
      aTrade({ number: 3, seq: 4 }),
    ]
    const events = [aFact(1, 0), aFact(3, 2), aFact(5, 3)]
    await store().append(trades, at(5), { events })
    const found = await page({ upTo: 5 as Seq })
    expect(found.events).toEqual(inOrder(trades, events))
    expect(found.end).toBe(lastNumberOf(5 as Seq, 3))
    expect(found.next).toBe(found.end)
    const first = await page({ upTo: 5 as Seq, limit: 2 })
    expect(first.events).toEqual(inOrder(trades, events).slice(0, 2))
    expect(first.next).toBe(first.events[1]?.number as number)
    const rest = await page({ upTo: 5 as Seq, after: first.next })
    expect(rest.events).toEqual(inOrder(trades, events).slice(2))
  })

  test('trades whose numbers jump are found from every number on', async () => {
    const far = 1_000_000_000
    const numbers = [1, 2, far + 3, far + 4, 2 * far + 5]
    const trades = numbers.map((number, i) => aTrade({ number, seq: i + 1, units: 7n, size: 1 }))
    for (const [i, trade] of trades.entries()) await store().append([trade], at(i + 1), {})
    const expected = trades.map((trade) => fillNumber(trade.seq, trade.trade.tradeNumber))
    for (const after of [0, ...expected, ...expected.map((number) => number + 16), 16 * far]) {
      for (const accountId of [undefined, 10 as AccountId]) {
        const { events } = await page({ after, accountId })
        expect(events.map(({ number }) => number)).toEqual(expected.filter((number) => number > after))
      }
    }
  })

  test('nothing of later commands is in a page, and its end is before all of them', async () => {
    const trades = [aTrade({ number: 1, seq: 2 }), aTrade({ number: 2, seq: 4 })]
    await store().append(trades, at(4), { events: [aFact(3, 1)] })
    const early = await page({ upTo: 2 as Seq })
    expect(early.events.map(({ number }) => number)).toEqual([fillNumber(2 as Seq, 1)])
    expect(early.end).toBe(lastNumberOf(2 as Seq, 1))
    const late = await page({ upTo: 4 as Seq, after: early.next })
    expect(late.events.map(({ kind }) => kind)).toEqual(['CREDIT', 'FILL'])
  })

  test('a number above all existing ones is not of this journal', async () => {
    await store().append([aTrade({ number: 1, seq: 2 })], at(3))
    const end = lastNumberOf(3 as Seq, 1)
    expect(await store().events({ ...ALL, upTo: 3 as Seq, after: end + 1 })).toEqual({ kind: 'TOO_NEW', end })
    expect(await store().events({ ...ALL, upTo: 3 as Seq, after: end })).toMatchObject({
      events: [],
      next: end,
    })
  })

  test('a page reads a limited number of facts, and says where it stopped', async () => {
    const many = EVENTS_READ_MAX + 10
    const events = Array.from({ length: many }, (_, i) =>
      aFact(i + 1, 0, i === many - 1 ? 'DEBIT' : 'CREDIT'),
    )
    await store().append([], at(many), { events })
    const first = await page({ upTo: many as Seq, kinds: ['DEBIT'] })
    expect(first.events).toEqual([])
    expect(first.next).toBe(events[EVENTS_READ_MAX - 1]?.number as number)
    const second = await page({ upTo: many as Seq, kinds: ['DEBIT'], after: first.next })
    expect(second.events).toEqual(events.slice(-1))
  })

  test('cleared history has no events', async () => {
    await store().append([aTrade({ number: 1, seq: 2 })], at(3), { events: [aFact(3, 1)] })
    await store().clear()
    expect(await page({ upTo: 0 as Seq })).toMatchObject({ events: [] })
  })

  test('past facts of some kinds come newest first, of all accounts or of one, and page by page', async () => {
    const events = [
      aFact(1, 0),
      aFact(2, 0, 'DEBIT', 11),
      aFact(3, 0, 'ACCOUNT_CHANGED', 11),
      aFact(4, 0, 'CREDIT', 11),
      aFact(5, 0, 'DEBIT', undefined),
    ]
    await store().append([], at(5), { events })
    const kinds: FactKind[] = ['CREDIT', 'DEBIT']
    const past = (terms: Partial<PastEventRange> = {}) =>
      store().pastEvents({ before: undefined, kinds, accountId: undefined, limit: 10, ...terms })
    const seqs = async (terms: Partial<PastEventRange> = {}) =>
      (await past(terms)).events.map(({ seq }) => seq as number)
    expect((await past()).events).toEqual([5, 4, 2, 1].map((seq) => events[seq - 1] as NumberedEvent))
    expect((await past()).next).toBeUndefined()
    expect(await seqs({ accountId: 11 as AccountId })).toEqual([4, 2])
    expect(await seqs({ accountId: 11 as AccountId, kinds: ['DEBIT'] })).toEqual([2])
    const first = await past({ limit: 3 })
    expect(first.events.map(({ seq }) => seq as number)).toEqual([5, 4, 2])
    expect(await seqs({ before: first.next })).toEqual([1])
    expect((await past({ limit: 4 })).next).toBeUndefined()
  })

  test('past facts page by page are each read once, of all accounts and of one account', async () => {
    const kinds: FactKind[] = ['CREDIT', 'DEBIT']
    const events = Array.from({ length: 9 }, (_, i) =>
      aFact(i + 1, 0, i % 2 === 0 ? 'CREDIT' : 'DEBIT', i % 3 === 0 ? 12 : 11),
    )
    await store().append([], at(9), { events })
    for (const account of [undefined, 11, 12]) {
      for (const limit of [1, 2, 3]) {
        const accountId = account as AccountId | undefined
        const read: number[] = []
        for (let before: number | undefined; ; ) {
          const past = await store().pastEvents({ before, kinds, accountId, limit })
          read.push(...past.events.map(({ seq }) => seq as number))
          before = past.next
          if (before === undefined || read.length > events.length) break
        }
        const own = events.filter((event) => account === undefined || event.accountId === account)
        expect([account, limit, read]).toEqual([
          account,
          limit,
          own.map(({ seq }) => seq as number).reverse(),
        ])
      }
    }
  })

  test('whatever a program requests, page by page, it reads each event once and in order', async () => {
    await fc.assert(
      fc.asyncProperty(histories, questions, async (history, { limit, kinds, account }) => {
        const other = await open()
        const { trades, events, batches, end } = history
        for (const { from, to } of batches) {
          const isIn = ({ seq }: { readonly seq: number }) => seq > from && seq <= to
          await other.append(trades.filter(isIn), at(to), { events: events.filter(isIn) })
        }
        const accountId = account as AccountId | undefined
        const read: FeedEvent[] = []
        let after = 0
        for (let pages = 0; ; pages++) {
          expect(pages).toBeLessThan(1_000)
          const answer = await other.events({ after, limit, kinds, accountId, upTo: end as Seq })
          if (answer.kind !== 'PAGE') throw new Error('expected a page')
          read.push(...answer.events)
          if (answer.next === answer.end) break
          after = answer.next
        }
        const isAsked = (event: FeedEvent): boolean =>
          (kinds === undefined || kinds.includes(event.kind)) &&
          (accountId === undefined || concerns(event, accountId))
        expect(read).toEqual(inOrder(trades, events).filter(isAsked))
        await other.close()
      }),
      { numRuns: 40 },
    )
  })
}

function concerns(event: FeedEvent, accountId: AccountId): boolean {
  if (event.kind !== 'FILL') return event.accountId === accountId
  return [event.trade.maker.accountId, event.trade.taker.accountId].includes(accountId)
}

function inOrder(trades: readonly HistoryTrade[], events: readonly NumberedEvent[]): FeedEvent[] {
  const fills = trades.map((trade): FeedEvent => {
    return { kind: 'FILL', number: fillNumber(trade.seq, trade.trade.tradeNumber), trade }
  })
  return [...fills, ...events].sort((a, b) => a.number - b.number)
}

/** A fact of command `seq`, before which there were `trades` trades. */
export function aFact(
  seq: number,
  trades: number,
  kind: NumberedEvent['kind'] = 'CREDIT',
  account: number | undefined = 10,
): NumberedEvent {
  return {
    kind,
    number: eventNumber(seq as Seq, trades, MAIN_PLACE),
    seq: seq as Seq,
    time: (1_700_000_000_000 + seq) as TimeMs,
    accountId: account as AccountId | undefined,
    actor: 'ann',
    note: '',
    fields: { asset: 'BTC', amount: '1.5', list: ['a', 'b'], yes: true, many: 3 },
  }
}

/** Commands that trade, cause a fact or do neither, in batches. */
const histories = fc
  .array(
    fc.record({
      trades: fc.nat({ max: 150 }),
      fact: fc.boolean(),
      maker: fc.constantFrom(10, 11),
      taker: fc.constantFrom(10, 12),
      endsBatch: fc.boolean(),
    }),
    { maxLength: 30 },
  )
  .map((commands) => {
    const trades: HistoryTrade[] = []
    const events: NumberedEvent[] = []
    const ends = [...commands.keys()].filter((i) => commands[i]?.endsBatch === true).map((i) => i + 1)
    const tos = [...new Set([...ends, commands.length])].filter((to) => to > 0)
    for (const [i, { trades: count, fact, maker, taker }] of commands.entries()) {
      const seq = i + 1
      if (fact)
        events.push(
          aFact(seq, trades.length, i % 2 === 0 ? 'CREDIT' : 'SYMBOL_STATE', i % 3 === 0 ? 10 : undefined),
        )
      else
        for (let n = 0; n < count; n++) trades.push(aTrade({ number: trades.length + 1, seq, maker, taker }))
    }
    const batches = tos.map((to, i) => ({ from: tos[i - 1] ?? 0, to }))
    return { trades, events, batches, end: commands.length }
  })

const questions = fc.record({
  limit: fc.integer({ min: 1, max: 200 }),
  kinds: fc.option(fc.subarray<EventKind>([...EVENT_KINDS.slice(0, 2), 'SYMBOL_STATE']), { nil: undefined }),
  account: fc.option(fc.constantFrom(10, 11, 12, 13), { nil: undefined }),
})
