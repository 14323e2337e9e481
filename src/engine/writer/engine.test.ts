import { describe, expect, test } from 'bun:test'
import type { Command } from '../../core/commands/command.ts'
import { RULES_MIN } from '../../core/exchange/rules.ts'
import type { AccountId } from '../../units/ids.ts'
import type { Seq, TimeMs } from '../../units/quantities.ts'
import { lastSeqOf } from '../port/journal.ts'
import { ANY_EXCHANGES } from '../port/machines.fixture.ts'
import { EXCHANGE_FACTORY, type StateMachine } from '../port/state-machine.ts'
import { account, limit, market } from './commands.fixture.ts'
import { commandRequest, Stage } from './engine-stage.fixture.ts'

/** A machine that fails on the account `poison`. */
function fragile(): StateMachine {
  const machine = ANY_EXCHANGES.empty()
  const apply = machine.apply.bind(machine)
  machine.apply = (command, ...rest) => {
    if (command.kind === 'CreateAccount' && command.name === 'poison') throw new Error('a bug')
    return apply(command, ...rest)
  }
  return machine
}

async function messageOf(work: Promise<unknown>): Promise<string> {
  const cause = await work.catch((cause: unknown) => cause)
  return cause instanceof Error ? cause.message : 'no fault'
}

describe('order of steps', () => {
  test('a command is journaled, then witnessed, then answered, and only then is the journal checkpointed', async () => {
    const stage = new Stage()
    stage.offer(1, account('a'))
    stage.offer(2, account('b'))
    await stage.engine.flush()
    expect(stage.log).toEqual(['journal 1+2', 'witness 2', 'output 2', 'maintain'])
    expect(stage.answers).toEqual(['1 AccountOpened', '2 AccountOpened'])
  })

  test('a batch is published only once it is applied and witnessed: not while it is stored, applied or witnessed', async () => {
    for (const recentBytesMax of [0, 1 << 20]) {
      const handedOut: (readonly [string, number, number])[] = []
      const machine = ANY_EXCHANGES.empty()
      const apply = machine.apply.bind(machine)
      const looked: Promise<void>[] = []
      const look = async (when: string): Promise<void> => {
        const { seq } = machine
        const batches = await stage.engine.readBatches(0 as Seq, 1 << 20)
        handedOut.push([when, seq, batches.reduce((last, batch) => Math.max(last, lastSeqOf(batch)), 0)])
      }
      machine.apply = (...args) => {
        looked.push(look('applying'))
        return apply(...args)
      }
      const stage = new Stage({ recentBytesMax }, machine)
      const append = stage.journal.append.bind(stage.journal)
      stage.journal.append = async (batch) => {
        await append(batch)
        await look('stored')
      }
      const record = stage.witness.record.bind(stage.witness)
      stage.witness.record = (mark) => {
        record(mark)
        looked.push(look('witnessed'))
      }
      for (const name of ['a', 'b', 'c']) {
        stage.offer(1, account(name))
        await stage.engine.flush()
        await Promise.all(looked.splice(0))
      }
      expect(handedOut).toEqual(
        [0, 1, 2].flatMap((seq) => [
          ['stored', seq, seq] as const,
          ['applying', seq, seq] as const,
          ['witnessed', seq + 1, seq] as const,
        ]),
      )
      await look('done')
      expect(handedOut.at(-1)).toEqual(['done', 3, 3])
    }
  })

  test('reads are answered from the state after every command that waited with them', async () => {
    const stage = new Stage()
    market().forEach((command, i) => {
      stage.offer(i, command)
    })
    stage.ask(100, 'openOrders', { accountId: 3 as AccountId, symbolId: undefined, after: undefined })
    stage.offer(101, limit(3, 'SELL', 100, 5_000_000_000))
    await stage.engine.flush()
    const [output] = stage.outputs
    const read = output?.answers.find(({ request }) => request === 100)
    const answer = read?.kind === 'answer' ? read.answer : undefined
    expect(answer?.name === 'openOrders' && answer.value.orders.length).toBe(1)
    expect(stage.outputs.length).toBe(1)
  })

  test('reads alone write nothing', async () => {
    const stage = new Stage()
    stage.ask(1, 'bootstrap', undefined)
    stage.ask(2, 'balances', { accountId: 0 as AccountId })
    await stage.engine.flush()
    expect(stage.log).toEqual(['output -', 'maintain'])
    expect(stage.answers).toEqual(['1 bootstrap', '2 balances'])
  })

  test('a flush with nothing to do does nothing', async () => {
    const stage = new Stage()
    await stage.engine.flush()
    expect(stage.log).toEqual([])
  })

  test('time never runs backwards, whatever the clock does', async () => {
    const stage = new Stage()
    const times: number[] = []
    for (const now of [1_000, 900, 1_100]) {
      stage.now = now
      stage.offer(now, account(`${now}`))
      await stage.engine.flush()
      times.push(stage.engine.tail.time)
    }
    expect(times).toEqual([1_000, 1_000, 1_100])
  })
})

describe('limits', () => {
  test('the time is given out where no batch is in progress, and before nothing that is dated earlier', async () => {
    const stage = new Stage()
    const passed = () => stage.outputs.map(({ events, passed: time }) => time ?? events?.time)
    stage.engine.passTime(1_000 as TimeMs)
    stage.offer(1, account('a'))
    const flushing = stage.engine.flush()
    stage.engine.passTime(1_001 as TimeMs)
    await flushing
    stage.engine.passTime(1_002 as TimeMs)
    expect(passed() as unknown[]).toEqual([1_000, 1_000, 1_002])
  })

  test('a full inbox answers at once, and has room again after a flush', async () => {
    const stage = new Stage({ inboxRequestsMax: 2 })
    expect([1, 2, 3].map((i) => stage.offer(i, account(`${i}`)))).toEqual([
      undefined,
      undefined,
      'OVERLOADED',
    ])
    await stage.engine.flush()
    expect(stage.offer(4, account('4'))).toBeUndefined()
  })

  test('the inbox is bounded in bytes as well', () => {
    const stage = new Stage({ inboxBytesMax: 100 })
    expect(stage.offer(1, account('a'.repeat(60)))).toBeUndefined()
    expect(stage.offer(2, account('b'.repeat(60)))).toBe('OVERLOADED')
  })

  test('a batch takes no more than its limits, but always one command', async () => {
    const stage = new Stage({ batchRequestsMax: 2, batchBytesMax: 50 })
    for (const [i, name] of ['a', 'b', 'c', 'd'.repeat(100), 'e'].entries()) stage.offer(i, account(name))
    while (!stage.engine.isIdle) await stage.engine.flush()
    expect(stage.log.filter((line) => line.startsWith('journal'))).toEqual([
      'journal 1+2',
      'journal 3+1',
      'journal 4+1',
      'journal 5+1',
    ])
  })
})

describe('storage', () => {
  test('without space nothing happens, and service resumes by itself', async () => {
    const stage = new Stage()
    stage.offer(1, account('a'))
    await stage.engine.flush()
    const before = stage.engine.snapshot()
    stage.journal.nextFault = 'STORAGE_FULL'
    stage.offer(2, account('b'))
    stage.ask(3, 'balances', { accountId: 0 as AccountId })
    await stage.engine.flush()
    expect(stage.answers.slice(1)).toEqual(['2 STORAGE_FULL', '3 balances'])
    expect(stage.outputs.at(-1)?.events).toBeUndefined()
    expect(stage.engine.snapshot()).toEqual(before)
    stage.offer(4, account('b'))
    await stage.engine.flush()
    expect(stage.answers.at(-1)).toBe('4 AccountOpened')
    expect(stage.engine.tail.seq as number).toBe(2)
  })

  test('after a failure nothing is acknowledged and nothing more is accepted', async () => {
    const stage = new Stage({ batchRequestsMax: 2 })
    stage.journal.nextFault = 'FAILED'
    stage.offer(1, account('a'))
    stage.ask(2, 'balances', { accountId: 0 as AccountId })
    stage.offer(3, account('b'))
    expect(await messageOf(stage.engine.flush())).toBe('as the test wants it')
    expect(stage.answers).toEqual(['1 OUTCOME_UNKNOWN', '2 ENGINE_DOWN', '3 ENGINE_DOWN'])
    expect(stage.machine.seq as number).toBe(0)
    expect(stage.offer(4, account('c'))).toBe('ENGINE_DOWN')
    expect(await messageOf(stage.engine.flush())).toBe('a dead engine does nothing')
  })

  test('when the witness cannot be written, what was committed is not acknowledged', async () => {
    const stage = new Stage()
    stage.witness.record = () => {
      throw new Error('no witness')
    }
    stage.offer(1, account('a'))
    expect(await messageOf(stage.engine.flush())).toBe('no witness')
    expect(stage.answers).toEqual(['1 OUTCOME_UNKNOWN'])
  })

  test('a state machine that crashes stops the engine, and of its batch nothing is acknowledged', async () => {
    const stage = new Stage({}, fragile())
    for (const [i, name] of ['a', 'poison', 'b'].entries()) stage.offer(i, account(name))
    expect(await messageOf(stage.engine.flush())).toBe('a bug')
    expect(stage.answers).toEqual(['0 OUTCOME_UNKNOWN', '1 OUTCOME_UNKNOWN', '2 OUTCOME_UNKNOWN'])
    expect(stage.outputs.every(({ events }) => events === undefined)).toBe(true)
  })

  test('before rules are chosen no other command reaches the journal, nor does the choice of rules below the floor', async () => {
    const stage = new Stage({}, EXCHANGE_FACTORY.empty())
    const operator = { actor: 'test', note: '' }
    stage.offer(1, account('a'))
    for (const [at, version] of [1, RULES_MIN - 1, RULES_MIN].entries())
      stage.engine.offer(commandRequest(at + 2, { kind: 'SetRulesVersion', operator, version }))
    await stage.engine.flush()
    const refused = ['1 RULES_VERSION_TOO_LOW', '2 UNKNOWN_RULES_VERSION', '3 UNKNOWN_RULES_VERSION']
    expect(stage.answers.sort()).toEqual([...refused, '4 Done'])
    expect(stage.engine.tail.seq as number).toBe(1)
  })

  test('a command that the journal’s rules do not have yet never reaches it', async () => {
    const early = Object.defineProperty(ANY_EXCHANGES.empty(), 'rulesVersion', { get: () => 0 })
    const stage = new Stage({}, early)
    stage.offer(1, account('a'))
    await stage.engine.flush()
    expect(stage.answers).toEqual(['1 RULES_VERSION_TOO_LOW'])
    expect(stage.engine.tail.seq as number).toBe(0)
  })

  test('rules that this version lacks are refused before the journal, where they would stop every start', async () => {
    const stage = new Stage()
    const operator = { actor: 'test', note: '' }
    const newer: Command = { kind: 'SetRulesVersion', operator, version: 999 }
    stage.engine.offer(commandRequest(1, newer))
    stage.offer(2, account('a'))
    await stage.engine.flush()
    expect(stage.answers.sort()).toEqual(['1 UNKNOWN_RULES_VERSION', '2 AccountOpened'])
    expect(stage.engine.tail.seq as number).toBe(1)
  })
})

describe('stopping', () => {
  test('accepted commands are served, new ones are refused, and witness and journal are released last', async () => {
    const stage = new Stage({ batchRequestsMax: 1 })
    stage.witness.close = () => void stage.log.push('witness closed')
    stage.offer(1, account('a'))
    stage.offer(2, account('b'))
    stage.engine.refuseNew()
    expect(stage.offer(3, account('c'))).toBe('STOPPING')
    await stage.engine.drain()
    await stage.engine.close()
    expect(stage.answers).toEqual(['1 AccountOpened', '2 AccountOpened'])
    expect(stage.log.slice(-2)).toEqual(['witness closed', 'close'])
  })
})

describe('followers', () => {
  test('every batch is given out, from memory and from the journal alike', async () => {
    const stage = new Stage({ recentBytesMax: 4_400 })
    for (let i = 0; i < 10; i++) {
      stage.offer(i, account(`${i}`))
      await stage.engine.flush()
    }
    for (let after = 0; after <= 10; after++) {
      const batches = await stage.engine.readBatches(after as Seq, 1 << 20)
      const seqs = batches.map((batch) => lastSeqOf(batch) as number)
      expect(seqs).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10].filter((seq) => seq > after))
    }
    expect((await stage.engine.readBatches(8 as Seq, 1)).length).toBe(1)
  })
})
