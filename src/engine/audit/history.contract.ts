/**
 * The comparison of a store of history with the effects of the journal. A driver's test calls this with a
 * function that makes an empty store and one that changes it directly.
 */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { OperatorCommand } from '../../core/commands/command.ts'
import { DONE } from '../../core/questions/reply.ts'
import { type Candle, flatCandle } from '../../units/candle.ts'
import type { AccountId, SymbolId } from '../../units/ids.ts'
import { amount, type Lots, type Price, type Seq, type TimeMs, timeMs } from '../../units/quantities.ts'
import type { CandleWidth } from '../history/candles/base-widths.ts'
import { aFact } from '../history/events.contract.ts'
import type { HistoryStore, HistoryTrade } from '../history/history.ts'
import { aTrade, at, tradeAt } from '../history/history-trades.fixture.ts'
import type { NumberedEvent } from '../history/numbered-events.ts'
import type { OperatorAction } from '../port/ports.ts'
import type { AuditedHistory, HistoryDifference } from './history.ts'

export type AuditedStore = {
  readonly store: HistoryStore

  /** The stored data, as an auditor reads it. */
  audited(): AuditedHistory

  /**
   * Stores `becomes` in place of trade `number`, and in its lists, and changes nothing else: an empty list
   * removes it, two trades duplicate it.
   */
  tamper(number: number, becomes: readonly HistoryTrade[]): void

  /**
   * Stores `becomes` in place of the candle of this symbol and width from `start` on; undefined removes it.
   */
  tamperCandle(symbolId: SymbolId, width: CandleWidth, start: TimeMs, becomes: Candle | undefined): void
}

const NAMES = {
  account: (id: AccountId): string => `account ${id}`,
  symbolName: (id: number): string => `symbol ${id}`,
}

const TRADES: readonly HistoryTrade[] = Array.from({ length: 150 }, (_, i) =>
  aTrade({ number: i + 1, symbol: i % 2, maker: 10, taker: 20 + (i % 3) }),
)
/** A trade in the middle of its lists. */
const ONE = 77
const trade = TRADES[ONE - 1] as HistoryTrade

export function historyAuditContract(name: string, open: () => Promise<AuditedStore>): void {
  describe(`audit of the ${name} history store`, () => {
    let stage: AuditedStore
    beforeEach(async () => {
      stage = await open()
      await stage.store.append(TRADES, at(150))
      await stage.store.flush()
    })
    afterEach(() => stage.store.close())

    /** The differences found when a replay causes these records. */
    const differences = (
      trades: readonly HistoryTrade[] = TRADES,
      actions: readonly OperatorAction[] = [],
      events: readonly NumberedEvent[] = [],
    ): HistoryDifference[] => {
      const found: HistoryDifference[] = []
      const history = stage.audited()
      const audit = history.audit(NAMES, (difference) => found.push(difference))
      for (const each of trades) audit.compare(each)
      for (const action of actions) audit.compareAction(action)
      for (const event of events) audit.compareEvent(event)
      audit.finish()
      history.close()
      return found
    }
    /** The kinds of the differences, each once; all of them must name the trade. */
    const kindsOf = (found: readonly HistoryDifference[]): string[] => {
      for (const { sentence } of found) expect(sentence).toMatch(new RegExp(`\\btrade ${ONE}\\b`))
      return [...new Set(found.map(({ kind }) => kind))]
    }

    trades(() => stage, differences, kindsOf)
    actions(() => stage, differences)
    events(
      () => stage,
      (caused) => differences(TRADES, [], caused),
    )
    candles(() => stage, differences)
  })
}

function trades(
  stage: () => AuditedStore,
  differences: (trades?: readonly HistoryTrade[]) => HistoryDifference[],
  kindsOf: (found: readonly HistoryDifference[]) => string[],
): void {
  test('what the journal caused has no differences, and the position is reported', () => {
    expect(differences()).toEqual([])
    const history = stage().audited()
    expect(history.position).toEqual(at(150))
    history.close()
  })

  test('a record of a party that was changed is named, with both values', () => {
    const taker = { ...trade.taker, record: { ...trade.taker.record, total: amount(1n) } }
    stage().tamper(ONE, [{ ...trade, taker }])
    const found = differences()
    expect(kindsOf(found)).toEqual(['CHANGED'])
    expect(found[0]?.sentence).toMatch(/^record \d+ of account \d+ .*: total is 1, the ledger has 539$/)
  })

  test('a public trade that was changed is named, with both values', () => {
    stage().tamper(ONE, [{ ...trade, trade: { ...trade.trade, quantity: 5 as Lots } }])
    const found = differences()
    expect(kindsOf(found)).toEqual(['CHANGED'])
    expect(found[0]?.sentence).toBe('trade 77 of symbol 0 (command 77): quantity is 5, the ledger has 77')
  })

  test('a trade that is missing is named, once', () => {
    stage().tamper(ONE, [])
    const found = differences()
    expect(found).toEqual([{ kind: 'MISSING', sentence: 'trade 77 of symbol 0 (command 77) is missing' }])
  })

  test('a trade that appears twice is named', () => {
    stage().tamper(ONE, [trade, trade])
    const found = differences()
    expect(kindsOf(found)).toEqual(['EXTRA'])
    expect(found[0]?.sentence).toContain('a second time')
  })

  test('a record in the list of another account is named', () => {
    stage().tamper(ONE, [{ ...trade, taker: { ...trade.taker, accountId: 33 as AccountId } }])
    expect(kindsOf(differences())).toEqual(['MISPLACED'])
  })

  test('a trade that the journal did not cause is named', () => {
    const found = differences(TRADES.filter((each) => each !== trade))
    expect(found.map(({ kind, sentence }) => `${kind} ${sentence}`)).toContain(
      'EXTRA trade 77 of symbol 0 (command 77) is in history, but the journal has no such trade',
    )
  })
}

function actions(
  stage: () => AuditedStore,
  differences: (trades?: readonly HistoryTrade[], actions?: readonly OperatorAction[]) => HistoryDifference[],
): void {
  const anAction = (seq: number): OperatorAction => {
    const command: OperatorCommand = {
      kind: 'Reject',
      operator: { actor: 'ann', note: '' },
      reference: `${seq}`,
    }
    return { seq: seq as Seq, time: (1_700_000_000_000 + seq) as TimeMs, command, reply: DONE }
  }
  const given = [151, 152, 153].map(anAction)

  test("an operator's action that is missing, changed or never happened is named", async () => {
    const [first, second, third] = given as [OperatorAction, OperatorAction, OperatorAction]
    await stage().store.append([], at(153), { actions: [first, { ...second, time: 1 as TimeMs }, third] })
    await stage().store.flush()
    expect(differences(TRADES, [first, { ...second, time: 1 as TimeMs }, third])).toEqual([])
    expect(differences(TRADES, [first, second, anAction(154)])).toEqual([
      {
        kind: 'CHANGED',
        sentence: 'the audit trail has a different time for Reject by ann (command 152)',
      },
      {
        kind: 'EXTRA',
        sentence: "the audit trail has command 153, which is not an operator's command in the journal",
      },
      { kind: 'MISSING', sentence: 'Reject by ann (command 154) is missing from the audit trail' },
    ])
  })
}

function events(
  stage: () => AuditedStore,
  differences: (caused: readonly NumberedEvent[]) => HistoryDifference[],
): void {
  test('a fact of the numbered feed that is missing, changed or never happened is named', async () => {
    const [first, second, third] = [151, 152, 153].map((seq) => aFact(seq, 150))
    if (first === undefined || second === undefined || third === undefined) throw new Error('three facts')
    await stage().store.append([], at(153), { events: [first, second, third] })
    await stage().store.flush()
    expect(differences([first, second, third])).toEqual([])
    const other = { ...second, fields: { ...second.fields, amount: '1.6' } }
    expect(differences([first, other, aFact(154, 150)])).toEqual([
      {
        kind: 'CHANGED',
        sentence: `event ${second.number}, CREDIT (command 152), differs in the numbered feed, where its kind is CREDIT`,
      },
      {
        kind: 'EXTRA',
        sentence: `the numbered feed has event ${third.number}, which the journal did not cause`,
      },
      {
        kind: 'MISSING',
        sentence: `event ${aFact(154, 150).number}, CREDIT (command 154), is missing from the numbered feed`,
      },
    ])
  })
}

function candles(
  stage: () => AuditedStore,
  differences: (trades?: readonly HistoryTrade[]) => HistoryDifference[],
): void {
  const HOUR = 3_600_000
  const WHOLE_DAY = 1_700_006_400_000
  const SYMBOL = 0 as SymbolId
  const later = [0, 1, 2, 30].map((hours, i) => tradeAt(WHOLE_DAY + hours * HOUR, { number: 151 + i }))
  const all = [...TRADES, ...later]
  /** The findings after one candle was changed into another. */
  const told = async (
    width: CandleWidth,
    start: number,
    becomes: (stored: Candle) => Candle | undefined,
  ): Promise<string[]> => {
    const { store, tamperCandle } = stage()
    await store.append(later, at(154))
    await store.flush()
    const range = { symbolId: SYMBOL, width, from: timeMs(start), before: timeMs(start + 1), limit: 1 }
    const { candles } = await store.candles(range)
    tamperCandle(SYMBOL, width, timeMs(start), becomes(candles[0] ?? flatCandle(timeMs(start), 1 as Price)))
    return differences(all).map(({ kind, sentence }) => `${kind} ${sentence}`)
  }

  test('candles of the trades have no differences, including those still open', async () => {
    expect(await told('15m', WHOLE_DAY, (stored) => stored)).toEqual([])
  })

  test('a candle that was changed is named, with both values', async () => {
    const name = `the 15m candle of symbol 0 from ${WHOLE_DAY}`
    expect(await told('15m', WHOLE_DAY, (stored) => ({ ...stored, volume: 1, count: 3 }))).toEqual([
      `CHANGED ${name}: volume is 1, the ledger has 151`,
      `CHANGED ${name}: count is 3, the ledger has 1`,
    ])
  })

  test('the newest candle is compared too', async () => {
    const start = WHOLE_DAY + 30 * HOUR
    expect(await told('1s', start, (stored) => ({ ...stored, high: 1_000 as Price }))).toEqual([
      `CHANGED the 1s candle of symbol 0 from ${start}: high is 1000, the ledger has 155`,
    ])
  })

  test('a candle that is missing is named', async () => {
    const found = await told('1d', WHOLE_DAY, () => undefined)
    expect(found).toContain(`MISSING the 1d candle of symbol 0 from ${WHOLE_DAY} is missing`)
  })

  test('a candle without trades is named', async () => {
    const start = WHOLE_DAY + 5 * HOUR
    const found = await told('1m', start, (none) => none)
    expect(found).toContain(
      `EXTRA the 1m candle of symbol 0 from ${start} is in history, but the journal has no such trades`,
    )
  })
}
