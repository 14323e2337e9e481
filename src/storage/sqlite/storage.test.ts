import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomNumbers } from '../../../test/support/random-numbers.ts'
import type { Command } from '../../core/commands/command.ts'
import { hexOf, JournalFault } from '../../engine/port/journal.ts'
import { DEFAULT_ENGINE_LIMITS } from '../../engine/port/limits.ts'
import { ANY_EXCHANGES } from '../../engine/port/machines.fixture.ts'
import type { StateMachine } from '../../engine/port/state-machine.ts'
import type { EngineStorage } from '../../engine/port/storage.ts'
import { account, limit, market } from '../../engine/writer/commands.fixture.ts'
import { Engine } from '../../engine/writer/engine.ts'
import { commandRequest } from '../../engine/writer/engine-stage.fixture.ts'
import { DEFAULT_CLOCK_LIMITS, JournalClock } from '../../engine/writer/journal-clock.ts'
import { type Recovery, recover } from '../../engine/writer/recovery/recovery.ts'
import type { TimeMs } from '../../units/quantities.ts'
import { sha256 } from '../sha256.ts'
import { openStorage } from './storage.ts'

/** Hundreds of trials, which on a busy machine take longer than the default timeout. */
setDefaultTimeout(300_000)

const root = mkdtempSync(join(tmpdir(), 'bourse-storage-'))
/** The files of a killed process: part of the journal in its file, part in its log, one snapshot. */
const image = join(root, 'image')
const trial = join(root, 'trial')
/** The hash of the state after every batch. */
const liveHashes: string[] = []

/** A fixed sequence of numbers from 0 to 1, so that every run makes the same trials. */
const SEED = 20_240_607
const nextRandom = randomNumbers(SEED)

function hashOf(machine: StateMachine): string {
  return hexOf(sha256([machine.encodeSnapshot()]))
}

function start(storage: EngineStorage, acceptJournalTail = false): Promise<Recovery> {
  return recover({ ...storage, digest: sha256, machines: ANY_EXCHANGES, acceptJournalTail })
}

function engineOver(storage: EngineStorage, machine: StateMachine): Engine {
  const wall = () => 1_700_000_000_000 as TimeMs
  const clock = new JournalClock({
    sources: { wall, monotonicMs: () => 0 },
    limits: DEFAULT_CLOCK_LIMITS,
    journalTime: storage.journal.tail.time,
  })
  return new Engine({
    ...storage,
    machine,
    digest: sha256,
    clock,
    output: () => {},
    limits: DEFAULT_ENGINE_LIMITS,
  })
}

async function write(engine: Engine, commands: readonly Command[]): Promise<void> {
  for (const [i, command] of commands.entries()) engine.offer(commandRequest(i, command))
  await engine.flush()
}

/** Closes the files that recovery has opened, whether it succeeded or not. */
async function closing<T>(storage: EngineStorage, work: Promise<T>): Promise<T> {
  try {
    return await work
  } finally {
    storage.witness.close()
    await storage.journal.close()
  }
}

/** The result of a start on the trial directory: the state, or the kind of the fault. */
async function outcome(acceptJournalTail = false): Promise<{ state: string } | { fault: string }> {
  try {
    const storage = openStorage({ directory: trial })
    const { machine } = await closing(storage, start(storage, acceptJournalTail))
    return { state: hashOf(machine) }
  } catch (cause) {
    if (cause instanceof JournalFault) return { fault: cause.kind }
    throw cause
  }
}

function freshTrial(...without: string[]): void {
  rmSync(trial, { recursive: true, force: true })
  cpSync(image, trial, { recursive: true })
  for (const name of without) rmSync(join(trial, name), { recursive: true })
}

beforeAll(async () => {
  const directory = join(root, 'live')
  const storage = openStorage({ directory, idleCheckpointBytes: 0 })
  const { machine } = await start(storage)
  const engine = engineOver(storage, machine)
  const after = () => liveHashes.push(hashOf(machine))
  after()
  await write(engine, market())
  after()
  for (let round = 0; round < 60; round++) {
    const orders = Array.from({ length: 30 }, (_, i) =>
      limit(3 + (i % 2), i % 2 ? 'BUY' : 'SELL', 100 + ((i * 7 + round) % 9), 1_000_000 + i),
    )
    await write(engine, [...orders, account(`round ${round}`)])
    after()
    if (round === 30) await engine.rest()
    if (round === 45) await storage.snapshots.save(engine.snapshot())
  }
  cpSync(directory, image, { recursive: true })
})
afterAll(() => rmSync(root, { recursive: true }))

test('what a killed process leaves is the state after its last commit', async () => {
  freshTrial()
  expect(await outcome()).toEqual({ state: liveHashes.at(-1) as string })
  freshTrial('snapshots')
  expect(await outcome()).toEqual({ state: liveHashes.at(-1) as string })
})

test('storage continues from where a kill left it, and a clean stop leaves no log', async () => {
  freshTrial()
  const storage = openStorage({ directory: trial })
  const { machine } = await start(storage)
  const engine = engineOver(storage, machine)
  await write(engine, [account('after the crash')])
  expect(readdirSync(trial)).not.toContain('journal.sqlite-shm') // its index of the log is not shared
  const state = hashOf(machine)
  engine.refuseNew()
  await engine.close()
  expect(existsSync(join(trial, 'journal.sqlite-wal'))).toBe(false)
  expect(await outcome()).toEqual({ state })
})

test('only the owner may read stored files', () => {
  freshTrial()
  expect(statSync(join(root, 'live')).mode & 0o777).toBe(0o700)
  const files = readdirSync(trial, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  for (const { name, parentPath } of files) expect(statSync(join(parentPath, name)).mode & 0o077).toBe(0)
})

const FILES = ['journal.sqlite', 'journal.sqlite-wal']
const SAMPLES = 100

for (const file of FILES) {
  test(`a flipped bit anywhere in ${file} is found or without any effect (seed ${SEED})`, async () => {
    const whole = readFileSync(join(image, file))
    let found = 0
    for (let sample = 0; sample < SAMPLES; sample++) {
      freshTrial('snapshots')
      const at = Math.floor(nextRandom() * whole.length)
      const bytes = Buffer.from(whole)
      bytes[at] = (bytes[at] as number) ^ (1 << Math.floor(nextRandom() * 8))
      writeFileSync(join(trial, file), bytes)
      const result = await outcome()
      if ('fault' in result) found++
      else expect({ at, ...result }).toEqual({ at, state: liveHashes.at(-1) as string })
    }
    expect(found).toBeGreaterThan(SAMPLES / 4)
  })
}

test('a log cut short anywhere is found; accepted, it is the state after some earlier commit', async () => {
  const length = statSync(join(image, 'journal.sqlite-wal')).size
  let found = 0
  for (let sample = 0; sample < 30; sample++) {
    const cut = Math.floor(nextRandom() * length)
    freshTrial('snapshots')
    truncateSync(join(trial, 'journal.sqlite-wal'), cut)
    const result = await outcome()
    if ('state' in result) {
      expect({ cut, ...result }).toEqual({ cut, state: liveHashes.at(-1) as string })
      continue
    }
    expect({ cut, ...result }).toEqual({ cut, fault: 'WITNESS' })
    found++
    const accepted = await outcome(true)
    if (!('state' in accepted)) throw new Error(`cut at ${cut}: expected a state, found ${accepted.fault}`)
    expect(liveHashes).toContain(accepted.state)
    expect(await outcome()).toEqual(accepted)
  }
  expect(found).toBeGreaterThan(10)
})

test('a missing journal is found by its witness, and a missing witness by its journal', async () => {
  freshTrial('journal.sqlite', 'journal.sqlite-wal')
  expect(await outcome()).toEqual({ fault: 'WITNESS' })
  freshTrial('journal.witness')
  expect(await outcome()).toEqual({ fault: 'WITNESS' })
  freshTrial('journal.sqlite', 'journal.sqlite-wal', 'journal.witness')
  expect(await outcome()).toEqual({ fault: 'WITNESS' })
})
