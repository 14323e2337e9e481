/**
 * The rotation of the master key on the production storage, interrupted at every step and continued after a
 * restart.
 */
import { afterAll, describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type MemoryEngine, startMemoryEngine } from '../../../sim/memory/engine.ts'
import type { Command } from '../../core/commands/command.ts'
import { changedEngine } from '../../engine/writer/changed-engine.fixture.ts'
import { KeyRing } from '../../server/access/auth/key-ring.ts'
import type { AdminContext } from '../../server/admin/context.ts'
import { rotateMasterKey } from '../../server/admin/records/master-key.ts'
import { openStorage } from '../../storage/sqlite/storage.ts'
import type { AccountId } from '../../units/ids.ts'
import { timeMs } from '../../units/quantities.ts'
import { Accounts } from '../../views/accounts.ts'
import { loadMasterKey, settleMasterKey } from './load-master-key.ts'
import { masterKeyKeeper } from './master-key-keeper.ts'

const operator = { actor: 'test', note: '' }
const KEYS = ['one', 'two', 'three', 'four']
/** Four secrets, and the previous one of the first key. */
const SEALINGS = KEYS.length + 1
const directories: string[] = []
afterAll(() => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true })
})

/** A process that runs on a directory: created by a start, lost when it is killed. */
class Process {
  readonly #engine: MemoryEngine
  readonly accounts: Accounts
  readonly ring: KeyRing
  readonly #context: AdminContext

  private constructor(engine: MemoryEngine, accounts: Accounts, ring: KeyRing, context: AdminContext) {
    this.#engine = engine
    this.accounts = accounts
    this.ring = ring
    this.#context = context
  }

  static async start(
    directory: string,
    given: { masterKey?: string; masterKeyPrevious?: string } = {},
  ): Promise<Process> {
    const engine = await startMemoryEngine(openStorage({ directory }))
    let accounts: Accounts | undefined
    const start = await engine.port.follow(({ events }) => {
      for (const event of events) accounts?.apply(event)
    })
    accounts = new Accounts(start)
    const { masterKey, masterKeyPrevious } = given
    const loaded = loadMasterKey(directory, { masterKey, masterKeyPrevious })
    const ring = new KeyRing(loaded, (size) => randomBytes(size))
    try {
      settleMasterKey(directory, loaded, ring, accounts.everyApiKey())
    } catch (fault) {
      await engine.stop()
      throw fault
    }
    const masterKeys = masterKeyKeeper(directory, loaded, ring)
    const caller = { token: undefined, role: 'OPERATOR' }
    const context = { caller, engine: engine.port, accounts, masterKeys } as unknown as AdminContext
    return new Process(engine, accounts, ring, context)
  }

  submit(command: Command) {
    return this.#engine.port.submit(command)
  }

  rotate(over: Partial<AdminContext> = {}) {
    return rotateMasterKey({ ...this.#context, ...over }, {})
  }

  /**
   * Interrupts a rotation after this number of commands, or, without commands left to send, before the old
   * key is removed.
   */
  async cutOff(commands: number): Promise<void> {
    let sent = 0
    const { engine, masterKeys } = this.#context
    const cut = changedEngine(engine, {
      ask: {
        balances: async (query) => {
          if (commands < 0) throw new Error('killed')
          return engine.ask('balances', query)
        },
      },
      submit: async (command) => {
        if (sent++ >= commands) throw new Error('killed')
        return engine.submit(command)
      },
    })
    const retire = (): never => {
      throw new Error('killed')
    }
    const over = { engine: cut, masterKeys: { ...masterKeys, retire } }
    await expect(this.rotate(over)).rejects.toThrow('killed')
  }

  /** Every secret, by its key. */
  secrets(): Record<string, string> {
    return Object.fromEntries(
      [...this.accounts.everyApiKey()].flatMap(({ apiKey, sealedSecret, previousSecret }) => [
        [apiKey, this.ring.open(sealedSecret, apiKey)],
        ...(previousSecret === undefined
          ? []
          : [[`before ${apiKey}`, this.ring.open(previousSecret.sealedSecret, apiKey)]]),
      ]),
    )
  }

  stop(): Promise<void> {
    return this.#engine.stop()
  }
}

/** An exchange with some keys, one of them rotated and one revoked; stopped. */
async function exchange(given: { masterKey?: string } = {}): Promise<string> {
  const directory = mkdtempSync(path.join(tmpdir(), 'bourse-rotation-'))
  directories.push(directory)
  const node = await Process.start(directory, given)
  const made = await node.submit({ kind: 'CreateAccount', operator, name: 'alice' })
  const accountId = (made as { accountId: AccountId }).accountId
  const terms = { permissions: [], addresses: [], label: '' }
  for (const apiKey of KEYS) {
    const sealedSecret = node.ring.seal(`secret of ${apiKey}`, apiKey)
    await node.submit({ kind: 'CreateApiKey', operator, accountId, apiKey, sealedSecret, ...terms })
  }
  const sealedSecret = node.ring.seal('another secret of one', 'one')
  await node.submit({
    kind: 'RotateApiKey',
    operator,
    apiKey: 'one',
    sealedSecret,
    previousUntil: timeMs(2 ** 50),
  })
  await node.submit({ kind: 'RevokeApiKey', operator, apiKey: 'two' })
  await node.stop()
  return directory
}

const SECRETS = {
  one: 'another secret of one',
  'before one': 'secret of one',
  two: 'secret of two',
  three: 'secret of three',
  four: 'secret of four',
}

function keysIn(directory: string): string[] {
  return readFileSync(path.join(directory, 'master.key'), 'utf8').trim().split('\n')
}

/** The keys of an exchange without their sealed secrets. */
function termsOf(node: Process): unknown {
  return [...node.accounts.everyApiKey()].map(({ sealedSecret: _now, previousSecret, ...terms }) => [
    terms,
    previousSecret?.until,
  ])
}

describe('a rotation that is killed at any step starts again with every secret, and is finished then', () => {
  // -1: interrupted when the new key is in its file; then after each command; last of all when only the
  // removal of the old key is missing.
  for (let step = -1; step <= SEALINGS; step++) {
    test(`after ${step} commands`, async () => {
      const directory = await exchange()
      const [old] = keysIn(directory)
      const killed = await Process.start(directory)
      const terms = termsOf(killed)
      await killed.cutOff(step)
      expect(keysIn(directory)).toHaveLength(2)
      expect(killed.secrets()).toEqual(SECRETS)
      await killed.stop()

      const next = await Process.start(directory)
      expect([next.ring.isRotating, next.secrets()]).toEqual([true, SECRETS])
      const left = SEALINGS - Math.max(step, 0)
      expect(await next.rotate()).toEqual({ resealed: left, left: 0, removePrevious: false })
      expect([next.ring.isRotating, next.secrets(), termsOf(next)]).toEqual([false, SECRETS, terms])
      await next.stop()

      expect(keysIn(directory)).toHaveLength(1)
      expect(keysIn(directory)).not.toContain(old as string)
      const last = await Process.start(directory)
      expect([last.ring.isRotating, last.secrets()]).toEqual([false, SECRETS])
      await last.stop()
    })
  }
})

test('the old key opens nothing afterwards, and a node that has only the old key does not start', async () => {
  const directory = await exchange()
  const [old = ''] = keysIn(directory)
  const node = await Process.start(directory)
  await node.rotate()
  await node.stop()
  await expect(Process.start(directory, { masterKey: old })).rejects.toThrow('the master key is not the one')
})

test('a key from the environment is rotated by giving both, and the node says when the old one can be removed', async () => {
  const [masterKey, next] = ['a0'.repeat(32), 'b1'.repeat(32)]
  const directory = await exchange({ masterKey })
  const before = await Process.start(directory, { masterKey })
  await expect(before.rotate()).rejects.toThrow('BOURSE_MASTER_KEY_PREVIOUS')
  await before.stop()
  await expect(Process.start(directory, { masterKey: next })).rejects.toThrow('the master key is not the one')

  const both = await Process.start(directory, { masterKey: next, masterKeyPrevious: masterKey })
  expect(await both.rotate()).toEqual({ resealed: SEALINGS, left: 0, removePrevious: true })
  expect(await both.rotate()).toEqual({ resealed: 0, left: 0, removePrevious: true })
  await both.stop()
  const after = await Process.start(directory, { masterKey: next })
  expect([after.ring.isRotating, after.secrets()]).toEqual([false, SECRETS])
  await after.stop()
})

test('a start with the new key alone finds any secret that is still under the old one', async () => {
  const [masterKey, next] = ['a0'.repeat(32), 'b1'.repeat(32)]
  const directory = await exchange({ masterKey })
  const both = await Process.start(directory, { masterKey: next, masterKeyPrevious: masterKey })
  await both.cutOff(SEALINGS - 1)
  await both.stop()
  await expect(Process.start(directory, { masterKey: next })).rejects.toThrow('the master key is not the one')
})

test('a secret that was rotated while the master key is keeps the newer one', async () => {
  const directory = await exchange()
  const node = await Process.start(directory)
  const three = [...node.accounts.everyApiKey()].find(({ apiKey }) => apiKey === 'three')
  const from = three?.sealedSecret as Uint8Array
  const sealedSecret = node.ring.seal('a newer secret', 'three')
  const previousUntil = timeMs(0)
  await node.submit({ kind: 'RotateApiKey', operator, apiKey: 'three', sealedSecret, previousUntil })
  const to = node.ring.seal('secret of three', 'three')
  await node.submit({ kind: 'ResealSecret', operator, apiKey: 'three', from, to })
  expect(node.secrets()).toEqual({ ...SECRETS, three: 'a newer secret' })
  await node.stop()
})

test('a second rotation at the same time is refused', async () => {
  const directory = await exchange()
  const node = await Process.start(directory)
  const first = node.rotate()
  await expect(node.rotate()).rejects.toThrow('another request is rotating')
  expect(await first).toMatchObject({ left: 0 })
  await node.stop()
})
