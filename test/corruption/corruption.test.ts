/**
 * Changed bytes in a stored file are found and reported with the file's name, by the start or by
 * `bourse verify`, or have no effect at all: in every kind of file of a data directory, of a stopped node and
 * of a killed one. Samples are drawn from a seed that is printed (`CORRUPTION_SEED`). `CORRUPTION=all` tries
 * every byte of two small directories, `CORRUPTION=1/8` the first of every eight changes (`2/8` the second,
 * to share the work).
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { BourseProcess, type Credentials, readSandbox, sandbox, signed } from '../support/bourse-process.ts'
import { randomNumbers } from '../support/random-numbers.ts'
import { type Damage, damaged, everyDamage, nameOf, randomDamage } from './support/damage.ts'
import { type Image, type Images, makeImages, writeImage } from './support/image.ts'
import { SoundDirectory } from './support/sound.ts'

const share = process.env.CORRUPTION
const seed = Number(process.env.CORRUPTION_SEED ?? Date.now() % 1_000_000)
const random = randomNumbers(seed)
/** Samples per file and directory. */
const SAMPLES = 45
/** Number of requests of the traders before an image is taken: few if every byte is tried. */
const REQUESTS = share === undefined ? 40 : 3
/** Number of starts of the real node with a damaged file. */
const REAL_STARTS = 24
/**
 * No important data is read from these files: they are rewritten by every start, are an operator's choice, or
 * contain a name whose change makes clients start again.
 */
const NOT_READ = ['admin.json', 'journal.name', 'journal.pid', 'sandbox.json']
/** Every byte of these files is covered by newer bytes, or is rebuilt. */
const MAY_BE_WITHOUT_EFFECT = ['history.sqlite', 'history.sqlite-shm', 'history.sqlite-wal', 'journal.sqlite']

setDefaultTimeout(share === undefined ? 300_000 : 36_000_000)

// In memory if possible: every trial writes and syncs a directory.
const root = mkdtempSync(path.join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'bourse-corruption-'))
const trial = path.join(root, 'trial')
let images: Images
beforeAll(async () => {
  images = await makeImages(path.join(root, 'image'), REQUESTS, seed)
})
afterAll(() => rmSync(root, { recursive: true }))

test('the images have every kind of file', () => {
  const names = (image: Image): string[] => [...image.keys()].map((name) => name.replace(/\d+/, '1')).sort()
  const always = [
    'history.sqlite',
    'journal.name',
    'journal.sqlite',
    'journal.witness',
    'master.key',
    'sandbox.json',
    'snapshots/1.snapshot',
  ]
  const running = [
    'admin.json',
    'history.sqlite-shm',
    'history.sqlite-wal',
    'journal.pid',
    'journal.sqlite-wal',
  ]
  expect(names(images.stopped)).toEqual(always)
  expect(names(images.killed)).toEqual([...always, ...running].sort())
})

for (const kind of ['stopped', 'killed'] as const) {
  test(`a changed or missing byte in any file of a ${kind} node is named or without effect (seed ${seed})`, async () => {
    const directory = await SoundDirectory.of(images[kind], trial)
    const problems: string[] = []
    for (const file of [...images[kind].keys()].filter((name) => !NOT_READ.includes(name))) {
      const damages = damagesOf(images[kind], file)
      let named = 0
      for (const damage of damages) {
        const found = await directory.tryDamage(damage)
        if (found === 'NAMED') named++
        if (typeof found === 'object') problems.push(`${nameOf(damage)}: ${found.problem}`)
      }
      if (share !== undefined) console.log(`${kind}, ${file}: ${damages.length} changes, ${named} named`)
      if (kind === 'stopped' || !MAY_BE_WITHOUT_EFFECT.includes(file)) {
        expect(`${file}: ${Math.min(named, 1)}`).toBe(`${file}: 1`)
      }
    }
    expect(problems).toEqual([])
  })
}

test(`the real node refuses a damaged directory in one line, or serves its contents (seed ${seed})`, async () => {
  const image = images.killed
  writeImage(trial, image)
  const { accounts } = readSandbox(trial)
  const sound = await sandbox(trial)
  const expected = await served(await sound.ready, accounts)
  await sound.end('SIGKILL')
  const files = [...image.keys()]
  for (let i = 0; i < REAL_STARTS; i++) {
    const damage = randomDamage(image, files[i % files.length] as string, random)
    writeImage(trial, damaged(image, damage))
    const answer = await startForReal(accounts)
    if (answer !== 'REFUSED') expect(`${nameOf(damage)}: ${answer}`).toBe(`${nameOf(damage)}: ${expected}`)
  }
})

function damagesOf(image: Image, file: string): Damage[] {
  if (share === undefined) return Array.from({ length: SAMPLES }, () => randomDamage(image, file, random))
  const [part, of] = (share === 'all' ? [1, 1] : share.split('/').map(Number)) as [number, number]
  return [...everyDamage(image, file)].filter((_, i) => i % of === part - 1)
}

/**
 * The data that the exchange serves to its accounts, or `REFUSED`; throws if the last output is not a proper
 * refusal.
 */
async function startForReal(accounts: readonly Credentials[]): Promise<string> {
  const node = new BourseProcess(['sandbox', '--port', '0', '--data', trial])
  try {
    const baseUrl = await node.ready.catch(() => undefined)
    if (baseUrl !== undefined) return await served(baseUrl, accounts)
    const lines = node.err.trimEnd().split('\n')
    expect([await node.exited(), lines.length, lines[0]]).toEqual([1, 1, expect.stringContaining('bourse: ')])
    return 'REFUSED'
  } finally {
    await node.end('SIGKILL')
  }
}

/** All data that both accounts can read, with their original keys. */
async function served(baseUrl: string, accounts: readonly Credentials[]): Promise<string> {
  const endpoints = ['wallet/balance', 'order/active', 'order/trade/history']
  const answers = accounts.flatMap((account) =>
    endpoints.map((endpoint) => signed(baseUrl, account, 'GET', endpoint)),
  )
  const bodies = await Promise.all(answers.map(async (answer) => (await answer).text()))
  // Damage of the history that is detected late is reported to the client that requests the data.
  return bodies.some((body) => body.includes('"ENGINE_DOWN"')) ? 'REFUSED' : bodies.join('\n')
}
