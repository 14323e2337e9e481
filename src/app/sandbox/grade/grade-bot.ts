/**
 * Grades a bot: starts a sandbox with a live market, injects faults between the two, and judges the bot's
 * behavior.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { ProgramVersion } from '../../../contract/program-version.ts'
import type { Logger } from '../../../server/common/logger.ts'
import { cannotFail, guarded } from '../../../units/guarded.ts'
import { invariant } from '../../../units/invariant.ts'
import { SANDBOX_DEFAULTS } from '../../settings/defaults.ts'
import { type Credentials, readCredentials } from '../credentials.ts'
import { clientOf } from '../demo/trader.ts'
import type { SeenRequest } from '../faults/observer.ts'
import { TO_CLIENT } from '../faults/stream-faults.ts'
import { type Sandbox, startSandbox } from '../start.ts'
import { readAccountRecord } from './account-record.ts'
import { BookWatch } from './book-watch.ts'
import { BotProcess } from './bot-process.ts'
import { judge, unchecked } from './judge.ts'
import type { PlannedFault } from './plan.ts'
import type { BotRecord, Finding, HeardReport } from './record.ts'
import { readReportLine } from './report-line.ts'

/** Steps a second of the market. */
const PACE = 10
/** Maximum number of requests and lines that are kept: more are not needed to grade a bot. */
const REQUESTS_MAX = 200_000
const REPORTS_MAX = 100_000
const UNREADABLE_MAX = 10
/** Time limit for the first book. */
const BOOK_MS_MAX = 30_000
const BOOK_CHECK_MS = 20

export type GradeOptions = {
  readonly command: readonly [string, ...string[]]
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly seed: number
  /** Running time of the bot. */
  readonly seconds: number
  readonly plan: readonly PlannedFault[]
  readonly version: ProgramVersion
  readonly log: Logger
  /** Called with a line of the bot that is not for the grade. */
  readonly passOn: (line: string) => void
  /** Ends the grade before its time. */
  readonly interrupted: Promise<void>
}

export type Grade = {
  readonly seed: number
  readonly seconds: number
  readonly requests: number
  readonly fills: number
  /** Number of times that each fault has affected the bot. */
  readonly faults: Readonly<Record<string, number>>
  readonly findings: readonly Finding[]
  /** Checks that could not be made. */
  readonly unchecked: readonly string[]
}

/** Rejects with `SandboxFault` and others when the sandbox, or the bot, cannot be started. */
export async function gradeBot(options: GradeOptions): Promise<Grade> {
  const directory = mkdtempSync(path.join(tmpdir(), 'bourse-grade-'))
  try {
    const recorder = new Recorder()
    const server = { ...SANDBOX_DEFAULTS.server, hostname: '127.0.0.1', port: 0 }
    const settings = { ...SANDBOX_DEFAULTS, dataDirectory: directory, server }
    const sandbox = await startSandbox({
      settings,
      version: options.version,
      log: options.log,
      print: () => {},
      demo: { seed: options.seed, pace: PACE },
      observe: (request) => recorder.observe(request),
    })
    try {
      return await graded(options, sandbox, recorder, directory)
    } finally {
      await sandbox.stop()
    }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Observations of the bot while it runs. */
class Recorder {
  readonly requests: SeenRequest[] = []
  readonly reports: HeardReport[] = []
  readonly unreadable: string[] = []
  /** Undefined if it was not observed. */
  apiKey: string | undefined
  /** Whether the server's time is off now. */
  isClockOff = (): boolean => false
  /** Number of requests sent while the server's time was off. */
  clockCount = 0

  /**
   * Connections to the stream, and messages on them before a login, have no key: there are no other clients.
   */
  observe(request: SeenRequest): void {
    if (this.apiKey === undefined || this.requests.length >= REQUESTS_MAX) return
    if (request.apiKey !== undefined && request.apiKey !== this.apiKey) return
    this.requests.push(request)
    if (request.endpoint !== TO_CLIENT && this.isClockOff()) this.clockCount++
  }

  hear(line: string, books: BookWatch, passOn: (line: string) => void): void {
    const report = readReportLine(line)
    if (report === undefined) passOn(line)
    else if (typeof report === 'string') {
      if (this.unreadable.length < UNREADABLE_MAX) this.unreadable.push(report)
    } else if (this.reports.length < REPORTS_MAX) {
      const { book } = report
      const isBookTrue = book && books.wasBest(book.symbol, book.bid, book.ask)
      this.reports.push({ wallMs: Date.now(), report, isBookTrue })
    }
  }
}

async function graded(
  options: GradeOptions,
  sandbox: Sandbox,
  recorder: Recorder,
  directory: string,
): Promise<Grade> {
  const { baseUrl, views } = sandbox
  const [credentials] = readCredentials(directory)
  invariant(credentials !== undefined, 'a sandbox has accounts')
  const books = new BookWatch(views, () => performance.now())
  const isFull = () => views.market.registry.symbols().every(({ name }) => books.isFull(name))
  for (let ms = 0; !isFull() && ms < BOOK_MS_MAX; ms += BOOK_CHECK_MS) await Bun.sleep(BOOK_CHECK_MS)

  recorder.apiKey = credentials.apiKey
  recorder.isClockOff = () => sandbox.faults.list().some(({ kind }) => kind === 'CLOCK')
  const bot = new BotProcess({
    command: options.command,
    environment: { ...options.environment, ...variables(baseUrl, credentials) },
    onLine: (line) => recorder.hear(line, books, options.passOn),
  })
  const plan = runPlan(options.plan, sandbox)
  let ending: Pick<BotRecord, 'end' | 'exitCode'>
  let stopAtMs: number
  try {
    await untilOver(options, sandbox, bot, plan.broken)
  } finally {
    plan.stop()
    stopAtMs = performance.now()
    ending = await bot.stop()
    recorder.apiKey = undefined
  }
  const client = clientOf({ baseUrl, credentials })
  const actual = await readAccountRecord(client, (ms) => Bun.sleep(ms))
  const { requests, reports, unreadable } = recorder
  const record: BotRecord = { requests, reports, unreadable, stopAtMs, ...ending, ...actual }
  return {
    seed: options.seed,
    seconds: options.seconds,
    requests: requests.filter(({ endpoint }) => endpoint !== TO_CLIENT).length,
    fills: actual.fills.length,
    faults: faultCounts(recorder),
    findings: judge(record),
    unchecked: unchecked(record),
  }
}

/**
 * The bot's environment variables. The key has two names, since the clients and the examples of the reference
 * read the shorter one.
 */
function variables(baseUrl: string, { apiKey, secret }: Credentials): Readonly<Record<string, string>> {
  return {
    BOURSE_URL: baseUrl,
    BOURSE_STREAM_URL: baseUrl.replace(/^http/, 'ws'),
    BOURSE_KEY: apiKey,
    BOURSE_SECRET: secret,
    BOURSE_API_KEY: apiKey,
    BOURSE_API_SECRET: secret,
  }
}

/**
 * Resolves when the bot's time is over, it has exited, or the user ends the test. Rejects when the bot cannot
 * be started, or the sandbox fails.
 */
async function untilOver(
  { seconds, interrupted }: GradeOptions,
  { failed }: Sandbox,
  bot: BotProcess,
  broken: Promise<never>,
): Promise<void> {
  const over = Promise.withResolvers<void>()
  const timer = setTimeout(guarded(over.resolve, cannotFail), seconds * 1_000)
  try {
    await Promise.race([over.promise, bot.exited, interrupted, failed, broken])
  } finally {
    clearTimeout(timer)
  }
}

type RunningPlan = {
  /** Rejects when a fault could not begin or end. Never resolves. */
  readonly broken: Promise<never>
  /** Ends all faults. */
  readonly stop: () => void
}

/** Begins and ends each fault at its time. */
function runPlan(plan: readonly PlannedFault[], { faults }: Sandbox): RunningPlan {
  const { promise: broken, reject: onFault } = Promise.withResolvers<never>()
  broken.catch(() => {})
  const timers = plan.flatMap(({ fromMs, toMs, request }) => {
    let number: number | undefined
    return [
      setTimeout(
        guarded(() => {
          number = faults.add(request, 'grade')?.number
        }, onFault),
        fromMs,
      ),
      setTimeout(
        guarded(() => {
          if (number !== undefined) faults.clear(number, 'grade')
        }, onFault),
        toMs,
      ),
    ]
  })
  const stop = (): void => {
    for (const timer of timers) clearTimeout(timer)
    faults.clear(undefined, 'grade')
  }
  return { broken, stop }
}

/** A wrong clock affects no single request: it is counted by the requests made in the meantime. */
function faultCounts({ requests, clockCount }: Recorder): Readonly<Record<string, number>> {
  const counts: Record<string, number> = clockCount === 0 ? {} : { CLOCK: clockCount }
  for (const { fault } of requests) if (fault !== undefined) counts[fault] = (counts[fault] ?? 0) + 1
  return counts
}
