/** Numbers jump before any number is assigned, once in each epoch of the journal. */
import { expect, test } from 'bun:test'
import type { Command } from '../../core/commands/command.ts'
import { readCommand } from '../../core/commands/command-codec.ts'
import { NUMBER_RULES, RULES_VERSION } from '../../core/exchange/rules.ts'
import { sha256 } from '../../storage/sha256.ts'
import { ByteReader } from '../../units/bytes.ts'
import type { Seq } from '../../units/quantities.ts'
import { frameBody, framesOf } from '../port/frames.ts'
import { ANY_EXCHANGES } from '../port/machines.fixture.ts'
import { account, limit, market } from './commands.fixture.ts'
import { FaultyJournal, Stage } from './engine-stage.fixture.ts'
import { claimBatch } from './own-batches.ts'
import { replayBatch } from './recovery/replay.ts'

const NONCE = new Uint8Array(16)

function rules(version: number): Command {
  return { kind: 'SetRulesVersion', operator: { actor: 'test', note: '' }, version }
}

/** The commands in the journal of `stage` after `after`, by kind. */
async function kindsAfter({ journal }: Stage, after: Seq): Promise<string[]> {
  const batches = await journal.read(after, 1 << 20)
  return batches.flatMap(({ kind, data, count }) =>
    kind === 'COMMANDS'
      ? [...framesOf(data, count)].map((frame) => readCommand(new ByteReader(frameBody(frame))).kind)
      : [kind],
  )
}

/** The next engine to take over the journal, with a claim after its end. */
async function takenOver({ journal }: Stage): Promise<Stage> {
  await journal.append(claimBatch(sha256, journal.tail, { name: 'next', nonce: NONCE }))
  const machine = ANY_EXCHANGES.empty()
  for (const batch of await journal.read(0 as Seq, 1 << 20)) replayBatch(machine, batch, new Set(), () => {})
  return new Stage({}, machine, 1_000, journal)
}

async function given(stage: Stage, ...commands: readonly Command[]): Promise<void> {
  for (const command of commands) stage.offer(1, command)
  await stage.engine.flush()
}

test('a new leader of a journal lets numbers jump first, once, and again after the next claim', async () => {
  const first = new Stage()
  await given(first, ...market(), rules(RULES_VERSION), limit(3, 'BUY', 100, 1_000_000))
  let stage = first
  for (const epoch of [1, 2]) {
    const end = stage.journal.tail.seq
    stage = await takenOver(stage)
    // Not before commands may be issued, and then before every other command.
    expect(stage.engine.isIdle).toBe(true)
    stage.engine.begin()
    expect(stage.engine.isIdle).toBe(false)
    await given(stage, limit(3, 'BUY', 100, 1_000_000))
    await given(stage, account(`account ${epoch}`))
    const kinds = ['CLAIM', 'BeginEpoch', 'PlaceOrder', 'CreateAccount']
    expect([await kindsAfter(stage, end), stage.machine.epoch]).toEqual([kinds, epoch])
    const numbers = stage.outputs.flatMap(({ answers }) =>
      answers.flatMap((answer) =>
        answer.kind === 'reply' && answer.reply.kind === 'OrderAccepted' ? [answer.reply.orderNumber] : [],
      ),
    )
    expect(numbers.map(Number)).toEqual([epoch * 1_000_000_000 + epoch + 1])
  }
})

test('the first claim of a journal lets nothing jump, nor does any under earlier rules until they change', async () => {
  const journal = new FaultyJournal([])
  const empty = new Stage({}, ANY_EXCHANGES.empty(), 1_000, journal)
  const begun = await takenOver(empty)
  await given(begun, rules(RULES_VERSION), account('one'))
  expect(await kindsAfter(begun, 0 as Seq)).toEqual(['CLAIM', 'SetRulesVersion', 'CreateAccount'])

  const early = await takenOver(begun)
  await given(early, account('two'))
  expect(early.machine.epoch).toBe(2)

  const old = new Stage()
  await given(old, rules(NUMBER_RULES - 1), account('one'))
  const next = await takenOver(old)
  await given(next, account('two'))
  expect(next.machine.epoch).toBe(0)
  await given(next, rules(RULES_VERSION))
  await given(next, account('three'))
  expect([next.machine.epoch, (await kindsAfter(next, 4 as Seq)).slice(-2)]).toEqual([
    1,
    ['BeginEpoch', 'CreateAccount'],
  ])
})

test('numbers jump before any command, also while the clock is not trusted', async () => {
  const stage = await takenOver(await begunStage())
  // Far from the journal's time: nothing that is due is issued, and no order is accepted.
  stage.elapsedMs = stage.now
  stage.now = 1e12
  await given(stage, limit(3, 'BUY', 100, 1_000_000), account('late'))
  expect(stage.answers).toEqual(['1 CLOCK_NOT_TRUSTED', '1 AccountOpened'])
  expect(stage.machine.epoch).toBe(1)
})

async function begunStage(): Promise<Stage> {
  const stage = new Stage()
  await given(stage, ...market(), rules(RULES_VERSION))
  return stage
}
