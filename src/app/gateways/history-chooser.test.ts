import { expect, test } from 'bun:test'
import { EngineFault } from '../../engine/port/fault.ts'
import { JournalFault } from '../../engine/port/journal.ts'
import type { CandlePage, HistoryPort } from '../../engine/port/ports.ts'
import type { SymbolId } from '../../units/ids.ts'
import { type Seq, seq, timeMs } from '../../units/quantities.ts'
import { HistoryChooser } from './history-chooser.ts'

/** A history that says who answered, or fails. */
function history(name: string, asked: string[], fault?: Error): HistoryPort {
  const answer = async (): Promise<never> => {
    asked.push(name)
    if (fault !== undefined) throw fault
    return name as never
  }
  return {
    trades: answer,
    fills: answer,
    ledger: answer,
    positions: answer,
    orders: answer,
    numberedOrders: answer,
    recentTrades: answer,
    candles: answer,
    updates: answer,
    operatorActions: answer,
    events: answer,
    pastEvents: answer,
  }
}

function choose(historians: readonly (readonly [name: string, reached: number, fault?: Error])[]) {
  const asked: string[] = []
  const able = historians.map(([name, reached, fault]) => ({
    history: history(name, asked, fault),
    reached: () => seq(reached),
  }))
  const chooser = new HistoryChooser(() => able, history('leader', asked))
  const at = (atLeast: number): Promise<CandlePage> =>
    chooser.candles({
      ...{ symbolId: 0 as SymbolId, width: '1m', from: timeMs(0), before: timeMs(1), limit: 1 },
      atLeast: atLeast as Seq,
    })
  return { asked, chooser, at, answered: async (atLeast: number) => (await at(atLeast)) as unknown }
}

test('a question goes to a historian that shows its command, and to the leader where none does', async () => {
  const { answered } = choose([
    ['behind', 9],
    ['ahead', 11],
  ])
  expect([await answered(11), await answered(10), await answered(12)]).toEqual(['ahead', 'ahead', 'leader'])
})

test('historians that show the command share the questions', async () => {
  const { asked, answered } = choose([
    ['one', 5],
    ['two', 5],
    ['three', 5],
  ])
  for (let i = 0; i < 6; i++) await answered(5)
  expect(asked).toEqual(['one', 'two', 'three', 'one', 'two', 'three'])
})

test('a historian that dies, is overloaded or finds damage costs a question to the next one, and then to the leader', async () => {
  const faults = [
    new EngineFault('ENGINE_DOWN', 'it is gone'),
    new EngineFault('OVERLOADED', 'too much'),
    new JournalFault('DAMAGED', 'a page'),
  ]
  const { asked, answered } = choose(faults.map((fault, i) => [`historian-${i}`, 5, fault] as const))
  expect(await answered(5)).toBe('leader')
  expect(asked).toEqual(['historian-0', 'historian-1', 'historian-2', 'leader'])
})

test('a bug of a historian is no reason to ask the next one', async () => {
  const { at } = choose([['one', 5, new TypeError('a bug')]])
  expect(await at(5).catch((error: unknown) => error)).toBeInstanceOf(TypeError)
})

test('each kind of question is asked by the command that it names', async () => {
  const { chooser, asked } = choose([['historian', 5]])
  for (const atLeast of [seq(5), seq(6)]) {
    const query = { atLeast } as never
    await chooser.trades(query)
    await chooser.fills(query)
    await chooser.ledger(query)
    await chooser.positions(query)
    await chooser.orders(query)
    await chooser.numberedOrders(query)
    await chooser.recentTrades(0 as SymbolId, 1, atLeast)
    await chooser.candles(query)
    await chooser.updates(query)
    await chooser.operatorActions(query)
  }
  expect(asked).toEqual([...Array(10).fill('historian'), ...Array(10).fill('leader')])
})
