/** The program as people start it, on a data directory that outlives it: started, killed and restarted. */
import { createHmac } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePort } from './free-port.ts'
import { PROGRAM } from './program.ts'

export const ROOT = path.resolve(import.meta.dir, '../..')

export type Credentials = { readonly name: string; readonly apiKey: string; readonly secret: string }

export type SandboxFile = {
  readonly pageUrl: string
  readonly baseUrl: string
  readonly streamUrl: string
  readonly accounts: readonly Credentials[]
}

/** A new directory for a test's data; the caller must `remove` it. */
export function dataDirectory(): { readonly path: string; readonly remove: () => void } {
  const root = mkdtempSync(path.join(tmpdir(), 'bourse-app-'))
  return { path: path.join(root, 'data'), remove: () => rmSync(root, { recursive: true, force: true }) }
}

export function readSandbox(data: string): SandboxFile {
  return JSON.parse(readFileSync(path.join(data, 'sandbox.json'), 'utf8')) as SandboxFile
}

/** Commands of `sandbox` without the option for a self-trade mode. */
const OTHER_COMMANDS = ['clients', 'reset', 'grade']

/**
 * Accounts in tests trade with themselves, so that one account can make a trade. A sandbox therefore lists
 * its symbols with `NONE` unless a test sets another mode; the program's own default is tested in
 * `src/app/sandbox/start.test.ts` and `test/sandbox-demo.test.ts`.
 */
function sandboxOfTests(args: readonly string[]): readonly string[] {
  const [command, word] = args
  const isSandbox = command === 'sandbox' && !OTHER_COMMANDS.includes(word ?? '')
  const isSaid = args.some((argument) => argument.startsWith('--self-trade'))
  return isSandbox && !isSaid ? [...args, '--self-trade=NONE'] : args
}

/** A progress line of a command that reads a journal (src/app/maintenance/verification/progress.ts). */
const PROGRESS = /^[^\n]*: command [\d,]+ of [\d,]+ \(\d+ %\), [\d,]+ a second\n/gm

export class BourseProcess {
  readonly child: Bun.Subprocess<'ignore', 'pipe', 'pipe'>
  #out = ''
  #err = ''
  /** `#err` without progress lines, up to the length processed so far: waiting tests read it repeatedly. */
  #shown = { length: 0, text: '' }
  readonly #ready = Promise.withResolvers<string>()
  readonly #drained: Promise<unknown>

  /**
   * `launcher` has words before the program's own, for a shell that first sets limits. `program` is the
   * command line that starts it, if it is not the program of all tests.
   */
  constructor(
    args: readonly string[],
    environment: Readonly<Record<string, string>> = {},
    launcher: readonly string[] = [],
    program: readonly string[] = PROGRAM,
  ) {
    this.child = Bun.spawn([...launcher, ...program, ...sandboxOfTests(args)], {
      env: { ...process.env, ...environment },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    })
    this.#ready.promise.catch(() => {})
    this.#drained = Promise.all([this.#readOut(), this.#readErr()])
  }

  get out(): string {
    return this.#out
  }

  /** Standard error without progress lines, since their number depends on the speed of the machine. */
  get err(): string {
    const { length } = this.#err
    if (this.#shown.length !== length) this.#shown = { length, text: this.#err.replaceAll(PROGRESS, '') }
    return this.#shown.text
  }

  /** The base URL; rejects with all output if the program ends before it is ready. */
  get ready(): Promise<string> {
    return this.#ready.promise
  }

  /** The exit code, once all output has been read. */
  async exited(): Promise<number> {
    const code = await this.child.exited
    await this.#drained
    return code
  }

  /** Sends a signal and waits until the process exits. */
  async end(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): Promise<number> {
    this.child.kill(signal)
    return this.exited()
  }

  async #readOut(): Promise<void> {
    for await (const chunk of this.child.stdout.pipeThrough(new TextDecoderStream())) {
      this.#out += chunk
      const url = /^Bourse is ready at (.*)\n/m.exec(this.#out)?.[1]
      if (url !== undefined) this.#ready.resolve(url)
    }
    this.#ready.reject(new Error(`ended before it was ready: ${this.#out}${this.#err}`))
  }

  async #readErr(): Promise<void> {
    for await (const chunk of this.child.stderr.pipeThrough(new TextDecoderStream())) this.#err += chunk
  }
}

/** Ends processes at once, including stopped ones. */
export async function killAll(processes: Iterable<BourseProcess>): Promise<void> {
  await Promise.all(
    Array.from(processes, ({ child }) => {
      child.kill('SIGCONT')
      child.kill('SIGKILL')
      return child.exited
    }),
  )
}

/** A sandbox on `data` that is ready. */
export async function sandbox(data: string, ...options: readonly string[]): Promise<BourseProcess> {
  // Several gateways accept port 0 only by finding and releasing a free port first.
  const port = options.includes('--gateways') ? freePort() : 0
  const started = new BourseProcess(['sandbox', '--port', `${port}`, '--data', data, ...options])
  await started.ready
  return started
}

/** A signed request: GET by query, others by form body. */
export function signed(
  baseUrl: string,
  { apiKey, secret }: Pick<Credentials, 'apiKey' | 'secret'>,
  method: 'GET' | 'POST' | 'DELETE',
  endpoint: string,
  fields: Readonly<Record<string, string>> = {},
  /** Other options of the request. */
  init: Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> } = {},
  /** Set for a clock that differs from the machine's. */
  timestampMs = Date.now(),
): Promise<Response> {
  const parameters = new URLSearchParams({
    ...fields,
    timestamp: String(timestampMs),
    recvWindow: '60000',
  }).toString()
  const signature = createHmac('sha256', secret).update(parameters).digest('hex')
  const headers: Record<string, string> = { ...init.headers, 'X-Apikey': apiKey, 'X-Signature': signature }
  const url = `${baseUrl}/api/v3/${endpoint}`
  if (method === 'GET') return fetch(`${url}?${parameters}`, { ...init, headers })
  headers['Content-Type'] = 'application/x-www-form-urlencoded'
  return fetch(url, { ...init, method, headers, body: parameters })
}
