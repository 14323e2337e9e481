/**
 * The runner of the tests (tools/test.mjs) on small trees: the tests that it runs, its report of the others,
 * and the processes left after an interrupt.
 */
import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { testFiles, testParts } from '../tools/lib/test-parts.mjs'
import { runQueue } from '../tools/lib/test-queue.mjs'
import { until } from './support/until.ts'

/** Processes start slowly on a busy machine. */
setDefaultTimeout(300_000)

const ROOT = path.resolve(import.meta.dir, '..')
const trees: string[] = []
afterAll(() => {
  for (const tree of trees) rmSync(tree, { recursive: true, force: true })
})

const PASSES = "import { expect, test } from 'bun:test'\ntest('one is one', () => expect(1).toBe(1))\n"
const FAILS = "import { expect, test } from 'bun:test'\ntest('one is two', () => expect(1).toBe(2))\n"
const SKIPS = "import { test } from 'bun:test'\ntest.skip('one is left out', () => {})\n"
/** Starts a program that is in no group of the runner's, prints its id, and never ends. */
const HANGS = `import { test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { spawn } from 'node:child_process'
test('one waits for ever', async () => {
  const child = spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' })
  writeFileSync('started', String(child.pid))
  await new Promise(() => {})
})
`

/** Starts two programs and stops one of them, prints their ids, and never ends. */
const STOPS = `import { test } from 'bun:test'
import { spawn } from 'node:child_process'
import { renameSync, writeFileSync } from 'node:fs'
test('one program stops another one', async () => {
  const start = () => spawn('sleep', ['1000'], { detached: true, stdio: 'ignore', env: { PATH: process.env.PATH } })
  const [runs, stopped] = [start(), start()]
  stopped.kill('SIGSTOP')
  writeFileSync('started.tmp', JSON.stringify([process.pid, runs.pid, stopped.pid]))
  renameSync('started.tmp', 'started')
  await new Promise(() => {})
})
`

/** A checkout with these test files and the tools of this one. */
function tree(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(path.join(tmpdir(), 'bourse-runner-'))
  trees.push(root)
  for (const name of ['tools', 'package.json', 'package-lock.json', 'bunfig.toml']) {
    cpSync(path.join(ROOT, name), path.join(root, name), { recursive: true })
  }
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(root, 'node_modules'))
  for (const folder of ['src', 'sim', 'bench', 'test']) mkdirSync(path.join(root, folder))
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
    writeFileSync(path.join(root, file), text)
  }
  return root
}

function start(root: string, args: readonly string[], environment: Record<string, string | undefined> = {}) {
  return Bun.spawn(['node', 'tools/test.mjs', ...args], {
    cwd: root,
    env: { ...process.env, CI: undefined, ...environment },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
}

async function run(root: string, args: readonly string[] = [], environment = {}) {
  const child = start(root, args, environment)
  const [out, code] = await Promise.all([new Response(child.stdout).text(), child.exited])
  return { out, code, last: out.trimEnd().split('\n').at(-1) }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')
  } catch {
    return false
  }
}

/** Whether a process is stopped by a signal. */
const isStopped = (pid: number) => readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') T ')

describe('the parts of the tests', () => {
  test('hold each test file of the checkout once', () => {
    const held = testParts().flatMap(({ files }) => files)
    expect(held.toSorted()).toEqual(testFiles().toSorted())
    expect(new Set(held).size).toBe(held.length)
  })

  test('of the rest begin with parts that wait and one that computes, and one computes for as long as others wait', async () => {
    const parts = testParts().filter(({ isFast, files }) => !isFast && files.length > 0)
    const running = new Set<(typeof parts)[number]>()
    const computing: number[] = []
    let waiting = parts.filter(({ computes }) => !computes).length
    await runQueue(parts, {
      loadOf: ({ computes }) => (computes ? 2 : 1),
      room: 6,
      run: async (part) => {
        running.add(part)
        if (!part.computes) waiting--
        await new Promise((resolve) => setTimeout(resolve, 0))
        if (waiting > 0) computing.push([...running].filter(({ computes }) => computes).length)
        running.delete(part)
      },
    })
    expect(computing.length).toBeGreaterThan(10)
    expect(Math.max(...computing)).toBe(1)
  })

  test('need nothing of the machine where they are fast, and contain no slow file there', () => {
    for (const { isFast, needs, files } of testParts()) {
      if (!isFast) continue
      expect(needs).toBeUndefined()
      expect(files.filter((file) => file.includes('.slow.'))).toEqual([])
    }
  })
})

describe('the queue of the parts', () => {
  /**
   * Runs parts of these loads, one turn of the loop for each unit of load; returns the parts that were
   * running when each began.
   */
  async function begun(loads: readonly number[], isOver?: () => boolean) {
    const running: number[] = []
    const seen: number[][] = []
    const run = async (load: number) => {
      running.push(load)
      seen.push([...running])
      for (let turn = 0; turn < load; turn++) await new Promise((resolve) => setTimeout(resolve, 0))
      running.splice(running.indexOf(load), 1)
    }
    await runQueue(loads, { loadOf: (load) => load, room: 5, run, ...(isOver && { isOver }) })
    expect(running).toEqual([])
    return seen
  }

  test('fills its room in order, with what fits, and runs each part once', async () => {
    expect((await begun([2, 2, 2, 1])).slice(0, 3)).toEqual([[2], [2, 2], [2, 2, 1]])
    const loads = [2, 1, 2, 1, 1, 2, 1, 1, 1, 2]
    const seen = await begun(loads)
    expect(seen.map((running) => running.at(-1) ?? 0).toSorted()).toEqual(loads.toSorted())
    expect(seen.filter((running) => running.reduce((sum, load) => sum + load, 0) > 5)).toEqual([])
  })

  test('runs a part that exceeds its room alone, and starts nothing once it is over', async () => {
    expect(await begun([7, 1])).toEqual([[7], [1]])
    let asked = 0
    expect(await begun([1, 1, 1], () => asked++ > 1)).toEqual([[1], [1, 1]])
  })
})

describe('the runner of the tests', () => {
  const mixed = {
    'src/core/a.test.ts': PASSES,
    'src/core/b.slow.test.ts': PASSES,
    'src/app/c.test.ts': PASSES,
    'test/d.test.ts': PASSES,
  }

  test('runs the fast files, counts what it does not run, and ends with the sum', async () => {
    const { out, code, last } = await run(tree(mixed))
    expect([code, last]).toEqual([0, '1 passed, 0 failed, 0 skipped'])
    expect(out).toContain('Not run: at least 3 tests in:')
    expect(out).toMatch(/^ok {3}core +1 tests/m)
  })

  test('distributes the files of a long part over several runners, and reports the processor time of each', async () => {
    const outside = testParts().filter(({ name }) => name.startsWith('outside, '))
    expect(outside.length).toBeGreaterThan(1)
    // One more file than there are shares.
    const files = Object.fromEntries(
      Array.from({ length: outside.length + 1 }, (_, at) => [`test/${10 + at}.test.ts`, PASSES]),
    )
    const { out, last } = await run(tree(files), ['--rest'])
    expect(last).toBe(`${outside.length + 1} passed, 0 failed, 0 skipped`)
    const shares = [...out.matchAll(/^ok {3}(outside, \d of \d) +(\d) tests/gm)].map(([, ...found]) => found)
    expect(shares.toSorted()).toEqual(outside.map(({ name }, at) => [name, at === 0 ? '2' : '1']))
    if (process.platform !== 'linux') return
    expect(out.match(/ s, \d+\.\d s of CPU$/gm)?.length).toBe(outside.length)
    expect(out).toMatch(/^All in \d+\.\d s, \d+\.\d s of CPU, \d+ % of \d+ processors idle\./m)
  })

  test('runs with --rest what the fast run leaves out, and with --all every file', async () => {
    const root = tree(mixed)
    expect((await run(root, ['--rest'])).last).toBe('3 passed, 0 failed, 0 skipped')
    const whole = await run(root, ['--all'])
    expect(whole.last).toBe('4 passed, 0 failed, 0 skipped')
    expect(whole.out).not.toContain('Not run')
  })

  test('runs the files of given paths whatever their speed', async () => {
    expect((await run(tree(mixed), ['src/core'])).last).toBe('2 passed, 0 failed, 0 skipped')
  })

  test('shows what failed, and fails', async () => {
    const { out, code, last } = await run(tree({ 'src/core/a.test.ts': FAILS, 'src/core/b.test.ts': PASSES }))
    expect([code, last]).toEqual([1, '1 passed, 1 failed, 0 skipped'])
    const [, atTheEnd = ''] = out.split('FAILED TESTS\n')
    expect(atTheEnd).toStartWith('  src/core/a.test.ts > one is two\n    ')
    expect(atTheEnd).toContain('\n    Expected: 2\n    Received: 1\n')
  })

  test('repeats the error of each failed test, and not that of one that is called the same or begins alike', async () => {
    const fails = (...found: readonly [string, number][]) =>
      `import { expect, test } from 'bun:test'\n${found.map(([name, value]) => `test('${name}', () => expect(${value}).toBe(0))\n`).join('')}`
    const files = {
      'src/core/a.test.ts': fails(['one and two', 1], ['one', 2]),
      'src/core/b.test.ts': fails(['one', 3]),
    }
    const { out } = await run(tree(files))
    const [, atTheEnd = ''] = out.split('FAILED TESTS\n')
    const received = [...atTheEnd.matchAll(/^ {2}src.*?([ab])\.test\.ts > (.*)$|Received: (\d)/gm)]
    expect(received.map(([, file, name, value]) => value ?? `${file} ${name}`)).toEqual([
      ...['a one and two', '1', 'a one', '2'],
      ...['b one', '3'],
    ])
  })

  test('fails for a skipped test only on machines of continuous integration, and where no test ran', async () => {
    const root = tree({ 'src/core/a.test.ts': PASSES, 'src/core/b.test.ts': SKIPS })
    expect(await run(root)).toMatchObject({ code: 0, last: '1 passed, 0 failed, 1 skipped' })
    expect(await run(root, [], { CI: 'true' })).toMatchObject({
      code: 1,
      last: '1 passed, 0 failed, 1 skipped',
    })
    expect(await run(tree({}))).toMatchObject({ code: 1, last: '0 passed, 0 failed, 0 skipped' })
  })

  test('counts a file that does not load as failed', async () => {
    const { code, last } = await run(tree({ 'src/core/a.test.ts': "import './missing.ts'\n" }))
    expect([code, last]).toEqual([1, '0 passed, 1 failed, 0 skipped'])
  })

  test('keeps the reports of the last ten runs', async () => {
    const root = tree({ 'src/units/a.test.ts': PASSES })
    const reports = path.join(root, '.cache/test-reports')
    for (let i = 0; i < 12; i++)
      mkdirSync(path.join(reports, `2026-01-01-${String(i).padStart(2, '0')}`), { recursive: true })
    await run(root)
    const kept = readdirSync(reports).toSorted()
    expect(kept.length).toBe(10)
    expect(kept[0]).toBe('2026-01-01-03')
  })

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)(
    'ends with %s everything that its tests have started, and says that it was interrupted',
    async (signal, exitCode) => {
      const root = tree({ 'src/core/a.test.ts': HANGS })
      const child = start(root, [])
      const started = path.join(root, 'started')
      await until('the test runs', () => existsSync(started) && readFileSync(started, 'utf8') !== '')
      const pid = Number(readFileSync(started, 'utf8'))
      child.kill(signal)
      const [out, code] = await Promise.all([new Response(child.stdout).text(), child.exited])
      expect([code, out.trimEnd().split('\n').at(-1), isRunning(pid)]).toEqual([
        exitCode,
        'interrupted',
        false,
      ])
    },
  )

  test('pauses everything now and then with --pauses, prints the seed, and continues nothing that a test has stopped', async () => {
    if (process.platform !== 'linux') return
    const root = tree({ 'src/core/a.test.ts': STOPS })
    const child = start(root, ['--pauses', '--seed', '5'])
    const started = path.join(root, 'started')
    await until('the test runs', () => existsSync(started))
    const [test, runs, stopped] = JSON.parse(readFileSync(started, 'utf8')) as [number, number, number]
    await until('all stands still', () => isStopped(test) && isStopped(runs))
    await until('all goes on', () => !isStopped(test) && !isStopped(runs))
    expect(isStopped(stopped)).toBe(true)
    child.kill('SIGTERM')
    for (const pid of [runs, stopped]) process.kill(pid, 'SIGKILL')
    const out = await new Response(child.stdout).text()
    expect(out).toContain('to repeat this run: --pauses --seed 5\n')
  })

  test('does not take a seed without pauses or delays', async () => {
    const child = start(tree(mixed), ['--seed', '5'])
    expect(await new Response(child.stderr).text()).toStartWith(
      'npm test --: --seed is for --pauses and --delays\n',
    )
    expect(await child.exited).toBe(2)
  })
})
