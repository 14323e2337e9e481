/** `bourse top`: a live view of a running node in a terminal, or one sample of it for programs. */
import { printable, printableValue } from '../../units/printable.ts'
import { AdminUnreachableFault, readAdminAddress } from '../admin/client.ts'
import { httpAddress, parseArguments, refuseExtraWord, UsageError } from '../arguments.ts'
import { tellFailure } from '../failure.ts'
import { MeasuredInterval, parseMetrics, type Scrape } from './metrics-text.ts'
import { render } from './render.ts'
import { type TopView, topView } from './view.ts'

/** A screen that can be redrawn. */
export type Screen = {
  readonly write: (text: string) => void
  readonly size: () => { readonly columns: number; readonly rows: number }
  /** Calls the listener for every key; the returned function stops that. */
  readonly onKey: (listener: (key: string) => void) => () => void
}

export type TopHost = {
  readonly print: (text: string) => void
  readonly printError: (text: string) => void
  readonly defaultData: string | undefined
  /** Undefined if standard output is not a terminal. */
  readonly screen: Screen | undefined
  /** Monotonic milliseconds. */
  readonly monotonicMs: () => number
  /** Milliseconds since 1970. */
  readonly nowMs: () => number
  readonly sleep: (ms: number) => Promise<void>
}

const TOP_HELP = `bourse top: watch a running node, updated every second

Usage: bourse top --data DIR [options]
       bourse top --url http://127.0.0.1:9464 [options]

Shows requests and refusals, latency of answers and commits, queues, the stream, storage and money. Figures cover the last
interval. Press q or Ctrl-C to quit.

Options:
  --data DIR            data directory of the node, from which the address of the metrics is read [DATA_DIR]
  --url URL             address of the metrics; for a node on another machine or of another user
  --interval-seconds N  interval between updates, 1 to 60, default 1
  --once                show the next interval and exit; the default when standard output is not a terminal
  --json                like --once, as one JSON object
  --help                show this help`

const FORMS = {
  data: 'value',
  url: 'value',
  'interval-seconds': 'value',
  once: 'flag',
  json: 'flag',
  help: 'flag',
} as const

const INTERVAL_SECONDS_MAX = 60
const SCRAPE_TIMEOUT_MS = 5_000
const EXIT_OK = 0
const EXIT_FAILED = 1
const CTRL_C = '\u0003'

/** Runs `bourse top` with the words after `top`; resolves with the exit code. */
export async function runTop(line: readonly string[], host: TopHost): Promise<number> {
  const { words, options } = parseArguments(line, FORMS)
  refuseExtraWord(words[0])
  if (options.has('help')) {
    host.print(TOP_HELP)
    return EXIT_OK
  }
  const intervalMs = secondsOf(options.get('interval-seconds')) * 1_000
  try {
    const url = urlOf(options, host)
    const isOnce = options.has('once') || options.has('json') || host.screen === undefined
    if (!isOnce && host.screen !== undefined) return await live(url, intervalMs, host, host.screen)
    const view = await look(url, intervalMs, host)
    host.print(options.has('json') ? JSON.stringify(view, undefined, 2) : drawn(view, url))
    return EXIT_OK
  } catch (error) {
    if (!(error instanceof AdminUnreachableFault)) throw error
    tellFailure('bourse top', { reason: 'NO_ANSWER', message: error.message }, line, host)
    return EXIT_FAILED
  }
}

function secondsOf(text: string | true | undefined): number {
  if (text === undefined) return 1
  const seconds = /^\d{1,2}$/.test(String(text)) ? Number(text) : 0
  if (seconds >= 1 && seconds <= INTERVAL_SECONDS_MAX) return seconds
  throw new UsageError(`--interval-seconds needs 1 to ${INTERVAL_SECONDS_MAX}, found ${text}`)
}

function urlOf(options: ReadonlyMap<string, string | true>, { defaultData }: TopHost): string {
  const url = options.get('url')
  if (typeof url === 'string') return httpAddress(url).origin
  const data = options.get('data') ?? defaultData
  if (typeof data !== 'string')
    throw new UsageError('expected a node: its data directory with --data DIR, or its address with --url URL')
  const { monitoringUrl } = readAdminAddress(data)
  if (monitoringUrl === undefined)
    throw new AdminUnreachableFault(`the node of ${data} is too old: it has no metrics`)
  return monitoringUrl
}

type Look = { readonly scrape: Scrape; readonly atMs: number }

async function scrapeOf(url: string, { monotonicMs }: TopHost): Promise<Look> {
  try {
    const answer = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(SCRAPE_TIMEOUT_MS) })
    if (answer.status !== 200)
      throw new AdminUnreachableFault(`${url} answers ${answer.status}: is that the monitoring port?`)
    return { scrape: parseMetrics(await answer.text()), atMs: monotonicMs() }
  } catch (cause) {
    if (cause instanceof AdminUnreachableFault) throw cause
    throw new AdminUnreachableFault(`the node does not answer at ${url}: is it still running?`, { cause })
  }
}

/** One sample of the next interval. */
async function look(url: string, intervalMs: number, host: TopHost): Promise<TopView> {
  const before = await scrapeOf(url, host)
  await host.sleep(intervalMs)
  return viewBetween(before, await scrapeOf(url, host), host)
}

function viewBetween(before: Look, now: Look, { nowMs }: TopHost): TopView {
  const seconds = Math.max(0.001, (now.atMs - before.atMs) / 1_000)
  return topView(new MeasuredInterval(before.scrape, now.scrape, seconds), nowMs())
}

/** Redraws until a key ends it. If the node disappears, waits until it is back. */
async function live(url: string, intervalMs: number, host: TopHost, screen: Screen): Promise<number> {
  const ended = Promise.withResolvers<void>()
  let isEnded = false
  const stopKeys = screen.onKey((key) => {
    if (key !== 'q' && key !== CTRL_C) return
    isEnded = true
    ended.resolve()
  })
  screen.write(ENTER)
  try {
    let before: Look | undefined
    while (!isEnded) {
      try {
        const now = await scrapeOf(url, host)
        draw(
          screen,
          before === undefined ? `looking at ${url} ...` : drawn(viewBetween(before, now, host), url),
        )
        before = now
      } catch (error) {
        if (!(error instanceof AdminUnreachableFault)) throw error
        before = undefined
        draw(screen, `! ${error.message}`)
      }
      await Promise.race([ended.promise, host.sleep(intervalMs)])
    }
    return EXIT_OK
  } finally {
    screen.write(LEAVE)
    stopKeys()
  }
}

/** The answering server may not be a node: its metrics are written to the terminal only as escaped text. */
function drawn(view: TopView, where: string): string {
  return render(printableValue(view) as TopView, where)
}

/** Switches to an alternate screen without a cursor, and back. */
const ENTER = '\u001b[?1049h\u001b[?25l'
const LEAVE = '\u001b[?25h\u001b[?1049l'
const HOME = '\u001b[H'
const END_OF_LINE = '\u001b[K'
const REST_OF_SCREEN = '\u001b[J'

function draw(screen: Screen, text: string): void {
  const { columns, rows } = screen.size()
  const lines = text
    .split('\n')
    .slice(0, rows - 1)
    .map((line) => printable(line).slice(0, columns) + END_OF_LINE)
  screen.write(`${HOME}${lines.join('\r\n')}\r\n${REST_OF_SCREEN}`)
}
