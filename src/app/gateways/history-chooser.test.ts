import { expect, test } from 'bun:test'
import { EngineFault } from '../../engine/port/fault.ts'
import { HISTORY_NAMES, type HistoryPort, historyPort } from '../../engine/port/history-questions.ts'
import { JournalFault } from '../../engine/port/journal.ts'
import type { CandlePage } from '../../engine/port/ports.ts'
import type { SymbolId } from '../../units/ids.ts'
import { type Seq, seq, timeMs } from '../../units/quantities.ts'
import { chosenHistory } from './history-chooser.ts'

/** A history that notes each question under its name and answers with the name, or fails. */
function history(name: string, asked: string[], fault?: Error): HistoryPort {
  return historyPort(async () => {
    asked.push(name)
    if (fault !== undefined) throw fault
    return name as never
  })
}

function choose(historians: readonly (readonly [name: string, reached: number, fault?: Error])[]) {
  const asked: string[] = []
  const able = historians.map(([name, reached, fault]) => ({
    history: history(name, asked, fault),
    reached: () => seq(reached),
  }))
  const chooser = chosenHistory(() => able, history('leader', asked))
  const at = (atLeast: number): Promise<CandlePage> =>
    chooser.candles({
      ...{ symbolId: 0 as SymbolId, width: '1m', from: timeMs(0), before: timeMs(1), limit: 1 },
      atLeast: atLeast as Seq,
    })
  return { asked, chooser, at, answered: async (atLeast: number) => (await at(atLeast)) as unknown }
}

test('a question goes to a historian that has applied its command, and to the leader where none has', async () => {
  const { answered } = choose([
    ['behind', 9],
    ['ahead', 11],
  ])
  expect([await answered(11), await answered(10), await answered(12)]).toEqual(['ahead', 'ahead', 'leader'])
})

test('historians that have applied the command share the questions', async () => {
  const { asked, answered } = choose([
    ['one', 5],
    ['two', 5],
    ['three', 5],
  ])
  for (let i = 0; i < 6; i++) await answered(5)
  expect(asked).toEqual(['one', 'two', 'three', 'one', 'two', 'three'])
})

test('a question whose historian dies, is overloaded or finds damage goes to the next one, then to the leader', async () => {
  const faults = [
    new EngineFault('ENGINE_DOWN', 'it is gone'),
    new EngineFault('OVERLOADED', 'too much'),
    new JournalFault('DAMAGED', 'a page'),
  ]
  const { asked, answered } = choose(faults.map((fault, i) => [`historian-${i}`, 5, fault] as const))
  expect(await answered(5)).toBe('leader')
  expect(asked).toEqual(['historian-0', 'historian-1', 'historian-2', 'leader'])
})

test('a bug in a historian is not a reason to ask the next one', async () => {
  const { at } = choose([['one', 5, new TypeError('a bug')]])
  expect(await at(5).catch((error: unknown) => error)).toBeInstanceOf(TypeError)
})

test('each kind of question is routed by the command that it names', async () => {
  const { chooser, asked } = choose([['historian', 5]])
  for (const atLeast of [seq(5), seq(6)]) {
    const query = { atLeast, upTo: atLeast } as never
    for (const name of HISTORY_NAMES) await chooser[name](query)
  }
  const { length } = HISTORY_NAMES
  expect(asked).toEqual([...Array(length).fill('historian'), ...Array(length).fill('leader')])
})
