import { expect, test } from 'bun:test'
import type { EventBatch } from '../../core/events/event.ts'
import { DONE } from '../../core/questions/reply.ts'
import type { EngineAnswer } from '../../engine/port/requests.ts'
import { account } from '../../engine/writer/commands.fixture.ts'
import type { Scheduler } from '../../engine/writer/loop.ts'
import { ByteWriter } from '../../units/bytes.ts'
import type { SymbolId } from '../../units/ids.ts'
import { price, seq, timeMs } from '../../units/quantities.ts'
import { ThreadEngine } from './engine-client.ts'
import { type FromEngine, readRequests, writeOutput } from './messages.ts'

/** An engine's end of the channel, operated by the test, and the client's turns of the event loop. */
function openChannel() {
  const blocks: number[][] = []
  const turns: (() => void)[] = []
  let receive: (event: { readonly data: unknown }) => void = () => {}
  const scheduler: Scheduler = { soon: (task) => turns.push(task), later: () => () => {} }
  const engine = new ThreadEngine(
    {
      postMessage: (message: unknown) => {
        blocks.push(readRequests(message as ArrayBuffer).requests.map(({ request }) => request))
      },
      addEventListener: (_type, listener) => {
        receive = listener
      },
    },
    { scheduler },
  )
  receive({ data: { kind: 'ready', report: {} } })
  return {
    engine,
    blocks,
    turn: () => {
      for (const task of turns.splice(0)) task()
    },
    answer: (requests: readonly number[], events?: EventBatch) => {
      const writer = new ByteWriter()
      const answers = requests.map((request): EngineAnswer => ({ kind: 'reply', request, reply: DONE }))
      writeOutput(writer, { events, answers }, events !== undefined)
      receive({ data: writer.take().buffer })
    },
    hear: (message: FromEngine) => receive({ data: message }),
  }
}

test('requests of one turn travel together, and a few more do not wait for them', () => {
  const { engine, blocks, turn } = openChannel()
  void engine.port.submit(account('a'))
  void engine.port.submit(account('b'))
  turn()
  void engine.port.submit(account('c'))
  turn()
  expect(blocks).toEqual([[1, 2], [3]])
})

test('under load, requests that arrive while a block is in flight are the next block, as soon as an answer has come back', async () => {
  const { engine, blocks, turn, answer } = openChannel()
  const first = Array.from({ length: 40 }, (_, i) => engine.port.submit(account(`first-${i}`)))
  turn()
  const second = Array.from({ length: 3 }, (_, i) => engine.port.submit(account(`second-${i}`)))
  turn()
  expect(blocks.map((block) => block.length)).toEqual([40])
  answer(blocks[0] ?? [])
  expect(blocks.map((block) => block.length)).toEqual([40, 3])
  answer(blocks[1] ?? [])
  expect(await Promise.all([...first, ...second])).toHaveLength(43)
})

test('a command that cannot be encoded leaves nothing of itself in the block', async () => {
  const { engine, blocks, turn } = openChannel()
  void engine.port.submit(account('a'))
  const broken = engine.port.submit(account('\ud800')).catch((cause: unknown) => String(cause))
  void engine.port.submit(account('b'))
  turn()
  expect(await broken).toContain('lone surrogate')
  expect(blocks).toEqual([[1, 3]])
})

/** The effect of one large order: many events in one batch. */
function manyEvents(count: number): EventBatch {
  const events = Array.from({ length: count }, (_, i) => ({
    kind: 'LevelChanged' as const,
    symbolId: 0 as SymbolId,
    side: 'SELL' as const,
    price: price(i + 1),
    quantity: 0n,
  }))
  return { seq: seq(1), time: timeMs(1), events }
}

test('a batch with very many events is decoded in several turns, and what comes after it waits for it', async () => {
  const { engine, turn, answer } = openChannel()
  const answered: string[] = []
  const [first, second] = ['first', 'second'].map((name) =>
    engine.port.submit(account(name)).then(() => void answered.push(name)),
  )
  turn()
  answer([1], manyEvents(9_000))
  answer([2])
  turn()
  expect(engine.port.inFlight).toBe(2)
  turn()
  expect(engine.port.inFlight).toBe(0)
  await Promise.all([first, second])
  expect(answered).toEqual(['first', 'second'])
})

test('an engine that ends while its last batch is being decoded has still published that batch', async () => {
  const { engine, turn, answer, hear } = openChannel()
  const reply = engine.port.submit(account('a'))
  turn()
  answer([1], manyEvents(9_000))
  hear({ kind: 'stopped', snapshotProblem: undefined })
  engine.lose('the worker has ended')
  expect(await reply).toEqual(DONE)
  expect(await engine.ended).toEqual({ snapshotProblem: undefined })
})
