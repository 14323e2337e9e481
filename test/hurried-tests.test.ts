/**
 * No test fails because of the clock, or because it reads something too early: limits of tests only detect
 * hangs, and a test waits for the output of a process.
 */
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { TEST_TIMEOUT_MS } from './mutation/stages.ts'
import { WAIT_MS_MAX } from './support/until.ts'

const ROOT = path.resolve(import.meta.dir, '..')
/** The runner's limit for every test (tools/lib/test-run.mjs). */
const TEST_MS = Number(
  /HUNG_MS = ([\d_]+)/
    .exec(readFileSync(path.join(ROOT, 'tools/lib/test-run.mjs'), 'utf8'))?.[1]
    ?.replaceAll('_', ''),
)
/** The limit of a file, in parentheses or after a condition; and of one test, after its end. */
const LIMITS = /setDefaultTimeout\((?<file>[^)]*)\)|^\}, (?<one>[\d_]+)\)$/gm

/** Every file of the tests, except the deliberately broken ones and this one with its examples. */
function filesOfTests(
  ...patterns: readonly string[]
): readonly { readonly file: string; readonly text: string }[] {
  const listed = Bun.spawnSync(
    ['git', 'ls-files', '--cached', '--others', '--exclude-standard', ...patterns],
    { cwd: ROOT },
  )
  const files = new Set(listed.stdout.toString().trim().split('\n'))
  return [...files]
    .filter((file) => !file.startsWith('test/violations/') && file !== path.relative(ROOT, import.meta.path))
    .map((file) => ({ file, text: readFileSync(path.join(ROOT, file), 'utf8') }))
}

/** The numbers that the groups of a pattern find in files of tests. */
function testsWith(pattern: RegExp): readonly { readonly file: string; readonly ms: number }[] {
  const listed = Bun.spawnSync(
    ['git', 'ls-files', '--cached', '--others', '--exclude-standard', '*.test.ts'],
    { cwd: ROOT },
  )
  const files = listed.stdout.toString().trim().split('\n')
  return files.flatMap((file) => {
    if (file.startsWith('test/violations/')) return []
    const found = readFileSync(path.join(ROOT, file), 'utf8').matchAll(pattern)
    const texts = [...found].flatMap(({ groups = {} }) => [
      ...`${groups.file ?? groups.one ?? groups.last}`.matchAll(/[\d_]+/g),
    ])
    return texts.map(([text]) => ({ file, ms: Number(text.replaceAll('_', '')) }))
  })
}

test('no test sets a time limit below the runner’s', () => {
  const all = testsWith(LIMITS)
  expect(all.length).toBeGreaterThan(50)
  expect(all.filter(({ ms }) => ms < TEST_MS)).toEqual([])
})

test('no test has less time where the program is broken on purpose', () => {
  expect(TEST_TIMEOUT_MS).toBeGreaterThanOrEqual(TEST_MS)
})

test('no wait for a condition sets a number below the common one', () => {
  const waits = testsWith(/\buntil\([^\n]*, (?<one>[\d_]+)\)$|^ +(?<last>\d+_\d{3}),\n +\)$/gm)
  expect(waits.filter(({ ms }) => ms < WAIT_MS_MAX)).toEqual([])
})

/** The name of a time that is the last argument of a wait, and its number, in one text. */
function namedWaits(text: string): readonly { readonly name: string; readonly ms: number }[] {
  return [...text.matchAll(/\b(?:until|eventually|untilAsked|untilServed)\(/g)].flatMap(
    ({ index, 0: start }) => {
      let end = index + start.length
      for (let open = 1; open > 0 && end < text.length; end++)
        open += Number(text[end] === '(') - Number(text[end] === ')')
      const [, name] = /\b([A-Z_]+_MS(?:_MAX)?),?\s*\)$/.exec(text.slice(index, end)) ?? []
      const [, value] =
        (name !== undefined && new RegExp(`\\bconst ${name} = ([\\d_]+)$`, 'm').exec(text)) || []
      if (name === undefined || value === undefined) return []
      return [{ name, ms: Number(value.replaceAll('_', '')) }]
    },
  )
}

test('no wait for a condition uses a named number below the common one', () => {
  const listed = Bun.spawnSync(
    ['git', 'ls-files', '--cached', '--others', '--exclude-standard', 'test/*.ts', '*.test.ts'],
    {
      cwd: ROOT,
    },
  )
  const files = listed.stdout.toString().trim().split('\n')
  const hurried = files.flatMap((file) =>
    namedWaits(readFileSync(path.join(ROOT, file), 'utf8'))
      .filter(({ ms }) => ms < WAIT_MS_MAX)
      .map(({ name }) => `${file}: ${name}`),
  )
  expect(hurried).toEqual([])
  const waits = (time: string) =>
    `const SOON_MS = 9_000\nawait until('it (all) is so', () => is(true)${time})\n`
  expect(namedWaits(waits(', SOON_MS'))).toEqual([{ name: 'SOON_MS', ms: 9_000 }])
  expect([namedWaits(waits('')), namedWaits(waits(', OTHER_MS'))]).toEqual([[], []])
})

test('a test that waits in vain says for what before its own time is over', () => {
  expect(WAIT_MS_MAX).toBeLessThan(TEST_MS)
})

test('a browser is started in one place, where every call to it has a limit', () => {
  const listed = Bun.spawnSync(
    ['git', 'ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.mjs'],
    { cwd: ROOT },
  )
  const files = listed.stdout.toString().trim().split('\n')
  const starting = files.filter((file) => {
    const text = readFileSync(path.join(ROOT, file), 'utf8')
    return /^import (?!type )[^\n]*'playwright[\w-]*'/m.test(text) || /import\('playwright/.test(text)
  })
  expect(starting).toEqual(['test/browser/support/browser.ts'])
})

/** Milliseconds that a number or a name of the same file stands for; undefined if it is neither. */
function msOf(text: string, term: string): number | undefined {
  const value = /^\d/.test(term) ? term : new RegExp(`\\bconst ${term} = ([\\d_]+)$`, 'm').exec(text)?.[1]
  return value === undefined ? undefined : Number(value.replaceAll('_', ''))
}

/** The limits that have names in tests. */
function namedLimits(text: string): readonly { readonly name: string; readonly ms: number }[] {
  const limits = text.matchAll(
    /^(?: {2,4}(?:\w+ \* )?(?<last>[A-Z_]+_MS),\n *\)|\}, (?:\w+ \* )?(?<one>[A-Z_]+_MS)\))$/gm,
  )
  return [...limits].flatMap(({ groups = {} }) => {
    const name = groups.last ?? groups.one ?? ''
    const ms = msOf(text, name)
    return ms === undefined ? [] : [{ name, ms }]
  })
}

test('no test has a limit with a name that is less than the runner gives it', () => {
  const all = filesOfTests('*.test.ts').flatMap(({ file, text }) =>
    namedLimits(text).map((limit) => ({ file, ...limit })),
  )
  expect(all.length).toBeGreaterThan(30)
  expect(all.filter(({ ms }) => ms < TEST_MS)).toEqual([])
  const limits = 'const A_MS = 9_000\ntest(\n  async () => {},\n  ROUNDS * A_MS,\n)\ntest(() => {\n}, A_MS)\n'
  expect(namedLimits(limits)).toEqual(Array(2).fill({ name: 'A_MS', ms: 9_000 }))
})

/** Loops that end by the clock, and their purpose if it is not to wait for a fact. */
const ENDED_BY_THE_CLOCK: Readonly<Record<string, string>> = {
  'test/faults/support/trial.ts: ROOM_WAIT_MS':
    'a node that waits for room would wait for ever: it is stopped',
}

/** Times after which a loop that reads the clock gives up. */
function clockWaits(text: string): readonly { readonly term: string; readonly ms: number }[] {
  const ends = text.matchAll(
    /performance\.now\(\) \+ (?<end>\w+)\b(?! \*)|performance\.now\(\) - #?\w+ > (?<age>\w+)/g,
  )
  return [...ends].flatMap(({ groups = {} }) => {
    const term = groups.end ?? groups.age ?? ''
    const ms = msOf(text, term)
    return ms === undefined || ms < 1_000 ? [] : [{ term, ms }]
  })
}

test('no loop that looks at the clock gives up sooner than every other wait', () => {
  const hurried = filesOfTests('test/*.ts', '*.test.ts', '*.fixture.ts')
    .filter(({ file }) => !file.startsWith('test/browser/'))
    .flatMap(({ file, text }) =>
      clockWaits(text)
        .filter(({ ms }) => ms < WAIT_MS_MAX)
        .map(({ term }) => `${file}: ${term}`),
    )
  expect(hurried).toEqual(Object.keys(ENDED_BY_THE_CLOCK))
  const loop = 'const SOON_MS = 9_000\nconst end = performance.now() + SOON_MS\n'
  expect(clockWaits(`${loop}if (performance.now() - begun > 60_000) throw 1`)).toEqual([
    { term: 'SOON_MS', ms: 9_000 },
    { term: '60_000', ms: 60_000 },
  ])
})

/** Lines that assert that something took less than a time; for the shortest of several that is allowed. */
function demandsOfTheClock(text: string): readonly string[] {
  const elapsed = String.raw`(?:performance|Date)\.now\(\) - [\w.]+`
  const names = [...text.matchAll(new RegExp(`const (\\w+) = \\(?${elapsed}`, 'g'))].map(([, name]) => name)
  const took = [elapsed, ...names.map((name) => `\\b${name}\\b`)].join('|')
  const demand = new RegExp(`expect\\([^\\n]*(?:${took})[^\\n]*(?:\\)\\.toBeLessThan| < )`)
  return text.split('\n').filter((line) => demand.test(line) && !line.includes('Math.min('))
}

test('no test demands that something has taken less than a time', () => {
  const hurried = filesOfTests('test/*.ts', '*.test.ts', '*.fixture.ts', '*.contract.ts').flatMap(
    ({ file, text }) => demandsOfTheClock(text).map((line) => `${file}: ${line.trim()}`),
  )
  expect(hurried).toEqual([])
  const lines = [
    'expect(performance.now() - from).toBeLessThan(9_000)',
    'const tookMs = performance.now() - from',
    'expect(tookMs).toBeLessThan(9_000)',
    'expect([tookMs < 9_000, seen]).toEqual([true, []])',
    'expect(Math.min(tookMs)).toBeLessThan(9_000)',
    'expect(tookMs).toBeGreaterThan(9_000)',
  ]
  expect(demandsOfTheClock(lines.join('\n'))).toEqual([0, 2, 3].map((at) => lines[at] as string))
})

/** Calls with which a test starts a process that keeps running while its output is read. */
const STARTED =
  /\b(?:const|let)? ?\[?(\w+)(?:, \w+\])? = (?:new BourseProcess\(|await (?:sandbox|startSandbox|serve|pair\.node|pair\.standby)\(|pair\.start\w*\(|run\()/

/**
 * Assertions on the standard error of a running process: it arrives over a separate channel, later than a
 * fact from another one.
 */
function readsTooEarly(text: string): readonly string[] {
  const early: string[] = []
  let running = new Set<string>()
  for (const line of text.split('\n')) {
    if (/^ {0,4}(?:test|it)[.(]/.test(line)) running = new Set()
    const [, started] = STARTED.exec(line) ?? []
    if (started !== undefined) running.add(started)
    for (const [, ended = ''] of line.matchAll(/\b(\w+)\.(?:exited|end)\(/g)) running.delete(ended)
    const [, read = ''] = /expect\([^\n]*?\b(\w+)\.err\b/.exec(line) ?? []
    const isOfCluster =
      /expect\([^\n]*\.role\(/.test(line) || /expect\([^\n]*\.process\(.*\)\.err\)\.to/.test(line)
    if (running.has(read) || isOfCluster) early.push(line)
  }
  return early
}

test('what a process writes while it runs is waited for, and not read once', () => {
  const early = filesOfTests('test/*.ts', 'src/app/*.test.ts').flatMap(({ file, text }) =>
    readsTooEarly(text).map((line) => `${file}: ${line.trim()}`),
  )
  expect(early).toEqual([])
  const lines = [
    "test('x', async () => {",
    '  const node = await sandbox(data)',
    "  expect(node.err).toContain('a')",
    "  await until('it says so', () => node.err.includes('a'))",
    "  expect([await node.end('SIGTERM'), node.err]).toEqual([0, ''])",
    "  expect(cluster.role('one')).toBe('FOLLOWING')",
    "  expect(cluster.process('one').err).toContain('a')",
  ]
  expect(readsTooEarly(lines.join('\n'))).toEqual([2, 5, 6].map((at) => lines[at] as string))
})

/** Requests with the machine's time, which may be too old when a slow machine processes them. */
function shortWindows(text: string): readonly string[] {
  const lines = text.split('\n')
  return lines.filter(
    (line, at) =>
      /(?:\btimestamp: (?:String\()?|[&\x60]timestamp=\$\{|login\([^\n]*, )Date\.now\(\)(?! ?[+-])/.test(
        line,
      ) && !/recvWindow/i.test(lines.slice(Math.max(0, at - 1), at + 4).join('\n')),
  )
}

/** These files read the exchange's time after such a refusal, as a program should. */
const READS_THE_TIME_AGAIN = ['test/grade/bot.ts']

test('a request that a test signs now is valid for as long as one may be', () => {
  const short = filesOfTests('test/*.ts', 'src/*.test.ts', 'src/*.fixture.ts')
    .filter(({ file }) => !file.startsWith('test/browser/') && !READS_THE_TIME_AGAIN.includes(file))
    .flatMap(({ file, text }) => shortWindows(text).map((line) => `${file}: ${line.trim()}`))
  expect(short).toEqual([])
  const lines = ['form({ timestamp: Date.now() })', 'form({ timestamp: Date.now() - 6_000 })', '', '', '']
  const timely = ['client.login(key, Date.now(), {', '  recvWindow: 60_000,', '})']
  expect(shortWindows([...lines, ...timely].join('\n'))).toEqual([lines[0] as string])
})
