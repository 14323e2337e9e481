/**
 * A copy of the project under the system's temporary directory: mutants exist only there, never in the
 * checkout.
 */
import { spawn } from 'node:child_process'
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const COPIED = [
  'src',
  'test',
  'sim',
  'docs',
  'tools',
  'clients',
  'examples',
  'package.json',
  'tsconfig.base.json',
  'bunfig.toml',
]
/** A mutant that allocates memory without end is killed before it exhausts the machine (Linux only). */
const MEMORY_BYTES_MAX = 3 * 2 ** 30
const MEMORY_CHECK_MS = 250
/** Factor of a run's largest duration over its processor time: the machine may be busy with other work. */
const WAIT_FACTOR = 10
const PAGE_BYTES = 4096

export type Outcome = {
  readonly kind: 'passed' | 'failed' | 'endless'
  readonly seconds: number
  /** The last lines of the program's output. */
  readonly output: string
}

export class Workspace {
  readonly root: string
  #stopRun: () => void = () => {}

  constructor(project: string) {
    this.root = mkdtempSync(path.join(tmpdir(), 'bourse-mutants-'))
    // PostgreSQL does not run as root: its tests start its programs as another user, from here.
    chmodSync(this.root, 0o755)
    for (const name of COPIED)
      cpSync(path.join(project, name), path.join(this.root, name), { recursive: true })
    symlinkSync(path.join(project, 'node_modules'), path.join(this.root, 'node_modules'))
  }

  read(file: string): string {
    return readFileSync(path.join(this.root, file), 'utf8')
  }

  write(file: string, text: string): void {
    writeFileSync(path.join(this.root, file), text)
  }

  /**
   * Runs Bun in the copy, with lower priority; `endless` if it used `cpuSeconds` of processor time, waited
   * for a long time, or used too much memory.
   */
  run(args: readonly string[], cpuSeconds: number): Promise<Outcome> {
    const started = performance.now()
    const limited = `ulimit -t ${Math.ceil(cpuSeconds)}; exec nice -n 10 "$@"`
    // A process group of its own, so that everything that a test started ends with it.
    const child = spawn('sh', ['-c', limited, 'sh', process.execPath, '--no-env-file', ...args], {
      cwd: this.root,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    let isEndless = false
    const keep = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-20_000)
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    const end = () => {
      isEndless = true
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    }
    this.#stopRun = end
    const limit = setTimeout(end, cpuSeconds * 1000 * WAIT_FACTOR)
    const watch = setInterval(() => {
      if (child.pid !== undefined && memoryBytes(child.pid) > MEMORY_BYTES_MAX) end()
    }, MEMORY_CHECK_MS)
    return new Promise((resolve, reject) => {
      child.on('error', reject)
      child.on('close', (code, signal) => {
        this.#stopRun = () => {}
        clearTimeout(limit)
        clearInterval(watch)
        // Exit codes of `sh` when it cannot run a program: a problem of the machine, not a verdict on a
        // mutant.
        if (code === 126 || code === 127) reject(new Error(`${process.execPath} cannot be run: ${output}`))
        const kind =
          isEndless || signal === 'SIGXCPU' || signal === 'SIGKILL'
            ? 'endless'
            : code === 0
              ? 'passed'
              : 'failed'
        resolve({ kind, seconds: (performance.now() - started) / 1000, output })
      })
    })
  }

  /** Ends the current run, if any. */
  stop(): void {
    this.#stopRun()
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true })
  }
}

/** Resident memory of a process; 0 if the system does not report it. */
function memoryBytes(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES
  } catch {
    return 0
  }
}
