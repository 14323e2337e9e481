/** replay, journal, backup, restore and rebuild on directories created by the production drivers. */
import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { NO_EVENTS } from '../../../core/events/event.ts'
import { Exchange } from '../../../core/exchange/exchange.ts'
import { hashOfQuarantined } from '../../../engine/port/journal.ts'
import { ANY_EXCHANGES } from '../../../engine/port/machines.fixture.ts'
import { recover } from '../../../engine/writer/recovery/recovery.ts'
import { replayCommands } from '../../../engine/writer/recovery/replay.ts'
import { sha256 } from '../../../storage/sha256.ts'
import { HistoryReader } from '../../../storage/sqlite/history/reader.ts'
import { JournalReader } from '../../../storage/sqlite/journal-reader.ts'
import { openStorage } from '../../../storage/sqlite/storage.ts'
import type { Seq } from '../../../units/quantities.ts'
import { JOURNAL_NAME_FILE, nameJournal } from '../../node/journal-name.ts'
import {
  audit,
  SEALED_SECRET,
  START_MS,
  STEP_MS,
  soundDirectories,
  writeDirectory,
} from './directory.fixture.ts'

const { root, sound: SOUND, fresh, copy } = soundDirectories()
const MASTER_KEY = `${'ab'.repeat(32)}\n`
/** The state hash after each command, by its number. */
const hashes: string[] = []
const batchEnds: number[] = []

beforeAll(async () => {
  await writeDirectory(SOUND)
  writeFileSync(path.join(SOUND, 'master.key'), MASTER_KEY, { mode: 0o600 })
  const reader = JournalReader.open(SOUND)
  const exchange = new Exchange()
  const hashNow = () => Buffer.from(sha256([exchange.encodeSnapshot()])).toString('hex')
  hashes.push(hashNow())
  for (const batch of await reader.read(0 as Seq, 1 << 24)) {
    for (const _ of replayCommands(exchange, batch, new Set(), NO_EVENTS)) hashes.push(hashNow())
    batchEnds.push(exchange.seq)
  }
  await reader.close()
})
afterAll(() => rmSync(root, { recursive: true }))

const end = (): number => hashes.length - 1

describe('replay', () => {
  type State = {
    readonly seq: number
    readonly time: string
    readonly stateHash: string
    readonly books: readonly { symbol: string; sell: { price: string }[]; buy: { price: string }[] }[]
    readonly balances: readonly { account: string; asset: string; free: string; locked: string }[]
    readonly orders?: readonly { account: string; symbol: string; side: string; remaining: string }[]
  }

  async function replay(...line: string[]): Promise<State> {
    const { code, out, err } = await audit('replay', '--data', SOUND, '--json', ...line)
    expect([code, err]).toEqual([0, ''])
    return JSON.parse(out) as State
  }

  test('shows the state after any command, also in the middle of a batch', async () => {
    expect((await replay()).stateHash).toBe(hashes[end()] as string)
    const middles = batchEnds.filter((seq, i) => seq - (batchEnds[i - 1] ?? 0) > 1).map((seq) => seq - 1)
    expect(middles.length).toBeGreaterThan(5)
    for (const seq of [0, 1, ...middles.slice(0, 5), end()]) {
      const state = await replay('--until', String(seq))
      expect([state.seq, state.stateHash]).toEqual([seq, hashes[seq] as string])
    }
  })

  test('shows the state at any time: all commands up to it, that of its own millisecond included', async () => {
    const at = (ms: number) => new Date(START_MS + ms).toISOString()
    expect((await replay('--until', at(-1))).seq).toBe(0)
    expect((await replay('--until', at(0))).seq).toBe(batchEnds[0] as number)
    expect((await replay('--until', at(10 * STEP_MS))).seq).toBe(batchEnds[10] as number)
    expect((await replay('--until', at(11 * STEP_MS - 1))).seq).toBe(batchEnds[10] as number)
    expect((await replay('--until', '2030-01-01')).seq).toBe(end())
  })

  test('books, balances and orders are consistent', async () => {
    const all = await replay('--orders')
    expect(all.books.map(({ symbol }) => symbol)).toEqual(['BTC/USDT', 'ETH/BTC'])
    const sum = all.balances
      .filter(({ asset }) => asset === 'ETH')
      .reduce((total, { free, locked }) => total + Number(free) + Number(locked), 0)
    expect(Math.abs(sum)).toBeLessThan(1e-6)
    const one = await replay('--orders', '--account', 'alice', '--book', 'BTC/USDT')
    expect(new Set(one.balances.map(({ account }) => account))).toEqual(new Set(['alice']))
    expect(one.orders?.length).toBeGreaterThan(0)
    for (const { account, symbol } of one.orders ?? [])
      expect([account, symbol]).toEqual(['alice', 'BTC/USDT'])
    const sells = one.books[0]?.sell.map(({ price }) => Number(price)) ?? []
    expect(sells.length).toBeGreaterThan(1)
    expect(sells).toEqual(sells.toSorted((a, b) => a - b))
  })

  test('prints a table for people', async () => {
    const { code, out } = await audit(
      'replay',
      '--data',
      SOUND,
      '--until',
      '30',
      '--orders',
      '--book',
      'BTC/USDT',
    )
    expect(code).toBe(0)
    expect(out).toContain(`state hash  ${hashes[30]}`)
    for (const heading of ['BTC/USDT   PRICE', 'ACCOUNT  ', 'ORDER  ']) expect(out).toContain(heading)
  })

  test('an unknown command, account or symbol is reported', async () => {
    const problem = async (...line: string[]) => {
      const { code, out, err } = await audit('replay', '--data', SOUND, ...line)
      expect([code, out]).toEqual([2, ''])
      return err
    }
    expect(await problem('--until', '99999')).toContain(
      `there is no command 99999: the journal ends at ${end()}`,
    )
    expect(await problem('--until', 'yesterday')).toContain('--until needs the number of a command or a time')
    expect(await problem('--account', 'mallory')).toContain('there is no account mallory')
    expect(await problem('--account', 'alice', '--until', '2')).toContain(
      'there is no account alice after command 2',
    )
    expect(await problem('--book', 'BTC/EUR')).toContain('there is no symbol BTC/EUR')
  })
})

describe('journal', () => {
  type Line = {
    readonly seq: number
    readonly time: string
    readonly kind: string
    readonly account?: string
    readonly symbol?: string
    readonly answer: { readonly result: string; readonly reason?: string }
    readonly events?: readonly Readonly<Record<string, string>>[]
  }

  async function lines(...line: string[]): Promise<Line[]> {
    const { code, out, err } = await audit('journal', '--data', SOUND, '--json', ...line)
    expect([code, err]).toEqual([0, ''])
    return out
      .split('\n')
      .filter((text) => text !== '')
      .map((text) => JSON.parse(text) as Line)
  }

  test('has every command once, in order, with its answer', async () => {
    const all = await lines()
    expect(all.map(({ seq }) => seq)).toEqual(Array.from({ length: end() }, (_, i) => i + 1))
    expect(all[0]).toMatchObject({ kind: 'SetRulesVersion', answer: { result: 'done' } })
    expect(all[1]).toMatchObject({
      kind: 'ListAsset',
      asset: 'BTC',
      fraction: 8,
      actor: 'test',
      answer: { result: 'done' },
    })
    expect(new Set(all.map(({ answer }) => answer.result))).toEqual(
      new Set(['done', 'NEW', 'PARTIALLY_FILLED', 'FILLED', 'refused']),
    )
  })

  test('from and to are commands or times', async () => {
    expect((await lines('--from', '5', '--to', '7')).map(({ seq }) => seq)).toEqual([5, 6, 7])
    const at = (step: number) => new Date(START_MS + step * STEP_MS).toISOString()
    const seqs = (await lines('--from', at(3), '--to', at(4))).map(({ seq }) => seq)
    expect(seqs).toEqual([batchEnds[3] as number, batchEnds[4] as number])
  })

  test('filters show what concerns a kind, an account or a symbol, also as the maker', async () => {
    const kinds = await lines('--kind', 'CancelOrder,Debit')
    expect(new Set(kinds.map(({ kind }) => kind))).toEqual(new Set(['CancelOrder', 'Debit']))
    const carols = await lines('--account', 'carol')
    expect(carols.map(({ kind }) => kind)).toEqual(['CreateAccount'])
    const bobs = await lines('--account', 'bob', '--events', '--kind', 'PlaceOrder')
    const others = bobs.filter(({ account }) => account !== 'bob')
    expect(others.length).toBeGreaterThan(5)
    for (const { events } of others) {
      expect(events?.some(({ maker, account }) => maker === 'bob' || account === 'bob')).toBe(true)
    }
    const symbols = await lines('--symbol', 'ETH/BTC')
    expect(symbols[0]?.kind).toBe('ListSymbol')
    expect(new Set(symbols.map(({ kind }) => kind))).toContain('PlaceOrder')
    for (const { symbol, kind } of symbols) if (kind !== 'CancelOrder') expect(symbol).toBe('ETH/BTC')
  })

  test('with events, each trade has price, parties and commission in decimals', async () => {
    const matches = (await lines('--events'))
      .flatMap(({ events }) => events ?? [])
      .filter(({ kind }) => kind === 'OrdersMatched')
    expect(matches.length).toBeGreaterThan(80)
    for (const match of matches) {
      expect(match.price).toMatch(/^\d+(\.\d+)?$/)
      expect(match.makerSide === 'BUY' ? match.takerSide : match.makerSide).toBe('SELL')
      expect(match.takerCommission).toMatch(/^\d+(\.\d+)? (BTC|USDT|ETH)$/)
    }
  })

  test('no form of output shows a sealed secret', async () => {
    const texts = [
      await audit('journal', '--data', SOUND, '--events'),
      await audit('journal', '--data', SOUND, '--events', '--json'),
    ]
    const sealed = Buffer.from(SEALED_SECRET)
    for (const { out } of texts) {
      expect(out).toContain('key-of-alice')
      for (const form of [
        sealed.toString(),
        sealed.toString('hex'),
        sealed.toString('base64'),
        sealed.join(),
      ]) {
        expect(out).not.toContain(form)
      }
      expect(out).not.toContain('sealedSecret')
    }
  })

  test('prints one line per command for people, with events below', async () => {
    const { out } = await audit('journal', '--data', SOUND, '--from', '2', '--to', '2', '--events')
    expect(out).toBe(
      '2  2023-11-14T22:13:21.000+00:00  ListAsset  asset=BTC name=BTC fraction=8 isDeposit=true isWithdraw=true isTrade=true isSaving=true supplyCap=0 actor=test  => result=done\n' +
        '    AssetChanged  asset=BTC isDeposit=true isWithdraw=true isTrade=true isSaving=true\n',
    )
  })

  test('damage is reported after everything that precedes it', async () => {
    const directory = copy()
    damage(directory, 50)
    const { code, out, err } = await audit('journal', '--data', directory, '--json')
    expect(code).toBe(1)
    const last = JSON.parse(out.trimEnd().split('\n').at(-1) as string) as Line
    expect(last.seq).toBe(Math.max(...batchEnds.filter((seq) => seq < 50)))
    expect(err).toContain('JOURNAL: batch')
  })

  test('an unknown account or symbol is reported, with the nearest name', async () => {
    const reported = async (...line: string[]) => {
      const { code, err, out } = await audit('journal', '--data', SOUND, ...line)
      expect([code, out]).toEqual([2, ''])
      return err
    }
    expect(await reported('--account', 'alise')).toContain('there is no account alise; did you mean alice?')
    expect(await reported('--account', 'Alice')).toContain('did you mean alice?')
    expect(await reported('--account', 'zzzzzz')).toContain('there is no account zzzzzz\n')
    expect(await reported('--symbol', 'BTC/USD')).toContain(
      'there is no symbol BTC/USD; did you mean BTC/USDT?',
    )
    expect(await reported('--account', 'alice', '--to', '1')).toContain('no account alice up to that moment')
    const replayed = await audit('replay', '--data', SOUND, '--account', 'alise')
    expect(replayed.err).toContain('did you mean alice?')
  })

  test('an unknown kind is reported, with the existing ones', async () => {
    const { code, err } = await audit('journal', '--data', SOUND, '--kind', 'Place')
    expect(code).toBe(2)
    expect(err).toContain('there is no kind Place; the kinds are ListAsset')
  })
})

/** Changes the batch that contains command `seq`. */
function damage(directory: string, seq: number): void {
  const db = new Database(path.join(directory, 'journal.sqlite'))
  const { changes } = db.run('UPDATE batch SET time = time + 1 WHERE last_seq >= ? AND first_seq <= ?', [
    seq,
    seq,
  ])
  expect(changes).toBe(1)
  db.close(true)
}

/** The files that a node finds when it starts on the directory. */
async function started(directory: string) {
  const storage = openStorage({ directory })
  try {
    return await recover({ ...storage, digest: sha256, machines: ANY_EXCHANGES, acceptJournalTail: false })
  } finally {
    storage.witness.close()
    await storage.journal.close()
  }
}

describe('backup and restore', () => {
  test('a restored exchange starts like the original, with its state and without a warning', async () => {
    const [backup, restored] = [fresh(), path.join(fresh(), 'deeper')]
    const made = await audit('backup', '--data', SOUND, '--to', backup, '--json')
    expect([made.code, made.err]).toEqual([0, ''])
    expect(JSON.parse(made.out)).toMatchObject({ seq: end(), stateHash: hashes[end()], hasMasterKey: false })
    expect(await audit('verify', '--data', backup)).toMatchObject({ code: 0 })
    expect((await audit('restore', '--from', backup, '--data', restored)).code).toBe(0)
    expect(await audit('verify', '--data', restored)).toMatchObject({ code: 0 })
    const { machine, report } = await started(restored)
    expect(Buffer.from(sha256([machine.encodeSnapshot()])).toString('hex')).toBe(hashes[end()] as string)
    expect(report).toMatchObject({
      snapshotSeq: end(),
      replayedCommands: 0,
      damagedSnapshots: [],
      witness: { accepted: [] },
    })
  })

  test('a restored journal has another name than the one that was backed up', async () => {
    const [original, backup, restored] = [copy(), fresh(), fresh()]
    const name = nameJournal(original, false)
    await audit('backup', '--data', original, '--to', backup)
    // All files of a backup besides the journal.
    writeFileSync(path.join(backup, JOURNAL_NAME_FILE), name)
    await audit('restore', '--from', backup, '--data', restored)
    expect(existsSync(path.join(restored, JOURNAL_NAME_FILE))).toBe(false)
    expect(nameJournal(restored, false)).not.toBe(name)
    expect(nameJournal(original, false)).toBe(name)
  })

  test('the backup contains the master key only when asked for, and no other user may read anything', async () => {
    const [without, within, restored] = [fresh(), fresh(), fresh()]
    const plain = await audit('backup', '--data', SOUND, '--to', without)
    expect(plain.out).toContain('master key     not included')
    expect(existsSync(path.join(without, 'master.key'))).toBe(false)
    await audit('backup', '--data', SOUND, '--to', within, '--include-master-key')
    await audit('restore', '--from', within, '--data', restored)
    for (const directory of [within, restored]) {
      expect(readFileSync(path.join(directory, 'master.key'), 'utf8')).toBe(MASTER_KEY)
      expect(statSync(directory).mode & 0o777).toBe(0o700)
      for (const each of readdirSync(directory, { withFileTypes: true, recursive: true })) {
        if (each.isFile()) expect(statSync(path.join(each.parentPath, each.name)).mode & 0o077).toBe(0)
      }
    }
    const absent = copy()
    rmSync(path.join(absent, 'master.key'))
    const refused = await audit('backup', '--data', absent, '--to', fresh(), '--include-master-key')
    expect(refused.code).toBe(2)
    expect(refused.err).toContain('the node takes its key from BOURSE_MASTER_KEY')
  })

  test('a damaged journal, or one that lost its end, is not backed up', async () => {
    const damaged = copy()
    damage(damaged, 50)
    const short = copy()
    const db = new Database(path.join(short, 'journal.sqlite'))
    db.run('DELETE FROM batch WHERE last_seq > ?', [batchEnds.at(-3) ?? 0])
    db.close(true)
    for (const [directory, problem] of [
      [damaged, 'of the journal'],
      [short, `is at command ${end()}`],
    ] as const) {
      const to = fresh()
      const { code, out, err } = await audit('backup', '--data', directory, '--to', to)
      expect([code, out]).toEqual([1, ''])
      expect(err).toContain(problem)
      expect(existsSync(to)).toBe(false)
    }
  })

  test('a changed backup is not restored, and nothing is left behind', async () => {
    const backup = fresh()
    await audit('backup', '--data', SOUND, '--to', backup)
    const manifest = readFileSync(path.join(backup, 'backup.json'), 'utf8')
    const to = fresh()
    mkdirSync(to)
    const refused = async (code: number, problem: string) => {
      const result = await audit('restore', '--from', backup, '--data', to)
      expect([result.code, result.out]).toEqual([code, ''])
      expect(result.err).toContain(problem)
      expect(readdirSync(to)).toEqual([])
    }
    writeFileSync(path.join(backup, 'backup.json'), manifest.replace(hashes[end()] as string, '0'.repeat(64)))
    await refused(1, 'backup.json states stateHash 0000')
    rmSync(path.join(backup, 'backup.json'))
    await refused(2, 'is not a complete backup')
    writeFileSync(path.join(backup, 'backup.json'), '{"format":2}')
    await refused(2, 'cannot be read at format')
    writeFileSync(path.join(backup, 'backup.json'), manifest)
    damage(backup, 80)
    await refused(1, 'of the journal')
  })

  test('a directory that is not empty is never written to', async () => {
    const to = copy()
    const before = readdirSync(to)
    for (const line of [
      ['backup', '--data', SOUND, '--to', to],
      ['restore', '--from', SOUND, '--data', to],
    ]) {
      const { code, err } = await audit(line[0] as string, ...line.slice(1))
      expect(code).toBe(2)
      expect(err).toContain('is not empty')
    }
    expect(readdirSync(to)).toEqual(before)
  })

  test('an exchange without commands can be backed up too', async () => {
    const [empty, backup, restored] = [fresh(), fresh(), fresh()]
    const storage = openStorage({ directory: empty })
    await storage.journal.close()
    expect((await audit('backup', '--data', empty, '--to', backup)).code).toBe(0)
    expect((await audit('restore', '--from', backup, '--data', restored)).code).toBe(0)
    expect((await started(restored)).report.seq as number).toBe(0)
  })

  test('a quarantined command stays quarantined', async () => {
    const directory = copy()
    const seq = batchEnds.at(-1) as Seq
    const storage = openStorage({ directory })
    await storage.journal.quarantine({
      seq,
      check: hashOfQuarantined(sha256, storage.journal.tail.hash, seq),
    })
    await storage.journal.close()
    // Data that was created with the command applied is no longer valid.
    rmSync(path.join(directory, 'snapshots'), { recursive: true })
    rmSync(path.join(directory, 'history.sqlite'))
    const [backup, restored] = [fresh(), fresh()]
    expect((await audit('backup', '--data', directory, '--to', backup)).code).toBe(0)
    expect((await audit('restore', '--from', backup, '--data', restored)).code).toBe(0)
    expect([...(await started(restored)).report.quarantined]).toEqual([seq])
    const shown = await audit('journal', '--data', restored, '--from', String(seq), '--json')
    expect(JSON.parse(shown.out)).toMatchObject({
      kind: 'Quarantined',
      answer: { result: 'refused', reason: 'INTERNAL_ERROR' },
    })
  })
})

describe('rebuild', () => {
  test('makes a history that matches the ledger, whatever was there', async () => {
    const directory = copy()
    const file = path.join(directory, 'history.sqlite')
    for (const spoil of [() => rmSync(file), () => writeFileSync(file, 'x'.repeat(9000)), () => {}]) {
      spoil()
      const { code, out } = await audit('rebuild', '--data', directory, '--json')
      expect([code, JSON.parse(out).seq]).toEqual([0, end()])
      const verified = JSON.parse((await audit('verify', '--data', directory, '--json')).out)
      expect(verified).toMatchObject({ sound: true, history: { seq: end(), trades: JSON.parse(out).trades } })
    }
    expect(readdirSync(directory).filter((name) => name.startsWith('history'))).toEqual(['history.sqlite'])
  })

  test('of a damaged journal leaves the history as it was', async () => {
    const directory = copy()
    damage(directory, 80)
    const before = readFileSync(path.join(directory, 'history.sqlite'))
    expect((await audit('rebuild', '--data', directory)).code).toBe(1)
    expect(readFileSync(path.join(directory, 'history.sqlite')).equals(before)).toBe(true)
    expect(existsSync(path.join(directory, 'history.sqlite.new'))).toBe(false)
  })
})

test('a directory held by a process that cannot be asked is reported as such', async () => {
  const directory = copy()
  const { journal } = openStorage({ directory })
  for (const name of ['verify', 'replay', 'journal']) {
    const { code, err } = await audit(name, '--data', directory)
    expect(code).toBe(2)
    expect(err).toContain(`a process uses ${directory} and does not hand over its journal`)
  }
  await journal.close()
})

test('while an auditor reads a directory no node starts on it, and nothing is left behind', async () => {
  const directory = copy()
  const before = readdirSync(directory).toSorted()
  const reader = JournalReader.open(directory)
  const history = HistoryReader.open(path.join(directory, 'history.sqlite'), true)
  expect(() => openStorage({ directory })).toThrow('is in use by')
  history?.close()
  await reader.close()
  expect(readdirSync(directory).toSorted()).toEqual(before)
  expect(before.filter((name) => /-(?:shm|wal)$/.test(name))).toEqual([])
  await openStorage({ directory }).journal.close()
})
