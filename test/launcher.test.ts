/** The launcher (tools/bourse.mjs) with a stand-in program: arguments, exit codes, signals, set-up. */
import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { until } from './support/until.ts'

/** Processes start slowly on a busy machine. */
setDefaultTimeout(300_000)

const ROOT = path.resolve(import.meta.dir, '..')
const projects: string[] = []
afterAll(() => {
  for (const project of projects) rmSync(project, { recursive: true, force: true })
})

/** A checkout whose program is `main`, with the dependencies of this one. */
function checkout(main: string): string {
  const project = mkdtempSync(path.join(tmpdir(), 'bourse-launcher-'))
  projects.push(project)
  for (const name of ['tools', 'package.json', 'package-lock.json', 'bunfig.toml']) {
    cpSync(path.join(ROOT, name), path.join(project, name), { recursive: true })
  }
  mkdirSync(path.join(project, 'src/app'), { recursive: true })
  writeFileSync(path.join(project, 'src/app/main.ts'), main)
  return project
}

function withModules(project: string): string {
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(project, 'node_modules'))
  return project
}

function launch(
  project: string,
  args: string[] = [],
  environment: Record<string, string | undefined> = {},
  cwd = project,
) {
  return Bun.spawn(['node', path.join(project, 'tools/bourse.mjs'), ...args], {
    cwd,
    env: { ...process.env, npm_command: undefined, npm_execpath: undefined, ...environment },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
}

type Launched = ReturnType<typeof launch>

async function outputOf(launched: Launched): Promise<{ out: string; err: string; code: number }> {
  const [out, err] = await Promise.all([
    new Response(launched.stdout).text(),
    new Response(launched.stderr).text(),
  ])
  return { out, err, code: await launched.exited }
}

/**
 * Prints READY, counts signals of both kinds, and exits with their number 200 ms after the first. It handles
 * signals once one that it sends itself has arrived: then it prints READY.
 */
const COUNTS_SIGNALS = `
  let count = 0
  const onSignal = () => { if (++count === 1) setTimeout(() => process.exit(count), 200) }
  process.on('SIGTERM', onSignal); process.on('SIGINT', onSignal)
  setInterval(() => {}, 1000)
  process.once('SIGUSR2', () => console.log('READY')); setTimeout(() => process.kill(process.pid, 'SIGUSR2'), 0)
`

async function untilReady(launched: Launched): Promise<void> {
  const reader = launched.stdout.getReader()
  const { value } = await reader.read()
  expect(new TextDecoder().decode(value)).toContain('READY')
  reader.releaseLock()
}

describe('the launcher', () => {
  test("passes arguments on, keeps the working directory and ends with the program's exit code", async () => {
    const project = withModules(
      checkout('console.log(JSON.stringify([process.argv.slice(2), process.cwd()])); process.exit(7)'),
    )
    const { out, code } = await outputOf(launch(project, ['a b', '--port', '0'], {}, tmpdir()))
    expect([JSON.parse(out), code]).toEqual([[['a b', '--port', '0'], tmpdir()], 7])
  })

  test("a working directory's .env and bunfig.toml have no effect", async () => {
    const project = withModules(checkout('console.log(process.env.PORT ?? "none")'))
    const elsewhere = checkout('')
    writeFileSync(path.join(elsewhere, '.env'), 'PORT=1\n')
    writeFileSync(path.join(elsewhere, 'bunfig.toml'), 'preload = ["./missing.ts"]\n')
    const { out, err, code } = await outputOf(launch(project, [], { PORT: undefined }, elsewhere))
    expect([out, err, code]).toEqual(['none\n', '', 0])
  })

  test('a signal and its echo reach the program once', async () => {
    const launched = launch(withModules(checkout(COUNTS_SIGNALS)))
    await untilReady(launched)
    launched.kill('SIGINT')
    launched.kill('SIGTERM')
    launched.kill('SIGINT')
    expect(await launched.exited).toBe(1)
  })

  test('under npm, the program is stopped when the shell that npm signals has gone', async () => {
    const project = withModules(
      checkout(
        `import { renameSync } from 'node:fs'\n${COUNTS_SIGNALS}; await Bun.write('new', String(process.pid)); renameSync('new', 'pid')`,
      ),
    )
    const shell = Bun.spawn(['sh', '-c', `node ${project}/tools/bourse.mjs & wait`], {
      cwd: project,
      env: { ...process.env, npm_command: 'exec' },
      stdout: 'pipe',
      stderr: 'ignore',
    })
    const pidFile = path.join(project, 'pid')
    while (!existsSync(pidFile)) await Bun.sleep(5)
    const pid = Number(readFileSync(pidFile, 'utf8'))
    shell.kill('SIGKILL')
    const isAlive = (): boolean => {
      try {
        return process.kill(pid, 0)
      } catch {
        return false
      }
    }
    while (isAlive()) await Bun.sleep(5)
  })

  test("the platform's own Bun is used where install scripts were skipped", async () => {
    const project = checkout('console.log(process.versions.bun)')
    const modules = path.join(project, 'node_modules')
    cpSync(path.join(ROOT, 'node_modules/.package-lock.json'), path.join(modules, '.package-lock.json'))
    const lock = JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8'))
    for (const where of Object.keys(lock.packages)) {
      if (where !== '' && existsSync(path.join(ROOT, where)))
        mkdirSync(path.join(project, where), { recursive: true })
    }
    mkdirSync(path.join(modules, 'bun/bin'), { recursive: true })
    writeFileSync(path.join(modules, 'bun/bin/bun.exe'), 'echo "install scripts were skipped"; exit 1')
    const system = { linux: 'linux', darwin: 'darwin' }[process.platform as 'linux' | 'darwin']
    const architecture = { x64: 'x64', arm64: 'aarch64' }[process.arch as 'x64' | 'arm64']
    const own = path.join(modules, `@oven/bun-${system}-${architecture}/bin`)
    mkdirSync(own, { recursive: true })
    symlinkSync(process.execPath, path.join(own, 'bun'))
    const { out, err, code } = await outputOf(launch(project))
    expect([out, err, code]).toEqual([`${process.versions.bun}\n`, '', 0])
  })

  test("dependencies other than the lock file's are installed first", async () => {
    const project = checkout('console.log("started")')
    mkdirSync(path.join(project, 'node_modules'))
    // A stand-in for npm that prints its arguments.
    const npm = path.join(project, 'npm-cli.js')
    writeFileSync(npm, 'console.error("asked for " + process.argv.slice(2).join(" ")); process.exit(3)')
    const { err, code } = await outputOf(launch(project, [], { npm_execpath: npm }))
    expect(code).toBe(1)
    expect(err).toContain('installing dependencies with npm ci --omit=dev (dependencies are not installed)')
    expect(err).toContain('npm ci failed with exit code 3:\nasked for ci --omit=dev --no-audit --no-fund')
  })

  test('development dependencies are added to an installation without them, whose files stay', async () => {
    const project = checkout('console.log("started")')
    const lock = JSON.parse(readFileSync(path.join(ROOT, 'node_modules/.package-lock.json'), 'utf8'))
    for (const [where, entry] of Object.entries<{ dev?: boolean }>(lock.packages)) {
      if (entry.dev) delete lock.packages[where]
      else mkdirSync(path.join(project, where), { recursive: true })
    }
    writeFileSync(path.join(project, 'node_modules/.package-lock.json'), JSON.stringify(lock))
    const npm = path.join(project, 'npm-cli.js')
    writeFileSync(npm, 'console.error("asked for " + process.argv.slice(2).join(" ")); process.exit(3)')
    const setUp = "import('./tools/lib/setup.mjs').then(({ ensureInstalled }) => ensureInstalled())"
    const { stderr } = Bun.spawnSync(['node', '-e', setUp], {
      cwd: project,
      env: { ...process.env, npm_execpath: npm },
    })
    expect(stderr.toString()).toContain('asked for install --no-save --no-audit --no-fund')
  })

  /** A stand-in for npm: counts its runs in `runs`, and installs once there is a file `go`. */
  function installer(project: string): string {
    const npm = path.join(project, 'npm-cli.js')
    writeFileSync(
      npm,
      `import fs from 'node:fs'
      fs.appendFileSync('runs', 'run;')
      while (!fs.existsSync('go')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
      fs.symlinkSync(${JSON.stringify(path.join(ROOT, 'node_modules'))}, 'node_modules')`,
    )
    return npm
  }

  test('of two commands in a fresh checkout one installs the dependencies, and the other says that it waits for that', async () => {
    const project = checkout('console.log("started")')
    const npm_execpath = installer(project)
    const first = launch(project, [], { npm_execpath })
    await until('the first installs', () => existsSync(path.join(project, 'runs')))
    const second = launch(project, [], { npm_execpath })
    const { value } = await second.stderr.getReader().read()
    expect(new TextDecoder().decode(value)).toBe(
      `bourse: another command (process ${first.pid}) is installing the dependencies; waiting for it ...\n`,
    )
    writeFileSync(path.join(project, 'go'), '')
    const outputs = [first, second].map(({ stdout }) => new Response(stdout).text())
    expect(await Promise.all(outputs)).toEqual(['started\n', 'started\n'])
    expect(readFileSync(path.join(project, 'runs'), 'utf8')).toBe('run;')
    expect(existsSync(path.join(project, '.cache/install.lock'))).toBe(false)
  })

  test('a lock left by a killed installation does not block the next one, though another process has its number', async () => {
    const ended = Bun.spawn(['true'])
    await ended.exited
    for (const pid of [ended.pid, process.pid]) {
      const project = checkout('console.log("started")')
      const npm_execpath = installer(project)
      writeFileSync(path.join(project, 'go'), '')
      mkdirSync(path.join(project, '.cache'))
      writeFileSync(path.join(project, '.cache/install.lock'), JSON.stringify({ pid, started: '1' }))
      const { out, code } = await outputOf(launch(project, [], { npm_execpath }))
      expect([out, code]).toEqual(['started\n', 0])
    }
  })
})
