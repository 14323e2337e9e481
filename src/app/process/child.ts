/**
 * A process that the main process starts. It reads orders from its standard input, one JSON object per line:
 * no other process can read them, and no process list shows them. It ends with the main process. It ignores
 * signals, which a terminal or a service manager sends to all processes: the main process handles them.
 */
import type { Logger } from '../../server/common/logger.ts'
import { DOCUMENT_JSON, parseJson } from '../../units/bounded-json.ts'
import type { LogLevel } from '../settings/defaults.ts'
import { openLog } from './log.ts'

export const EXIT_STOPPED = 0
const EXIT_FAILED = 1
const EXIT_USAGE = 2
/**
 * The main process has ended, or has another exchange: this process must be replaced (EX_TEMPFAIL in
 * sysexits.h).
 */
export const EXIT_REPLACE = 75

const IGNORED = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

type Start = { readonly kind: 'start'; readonly logLevel: LogLevel }

export type ChildHost = {
  readonly input: AsyncIterable<Uint8Array>
  /** Whether standard error is systemd's journal. */
  readonly isJournal: boolean
  readonly printError: (text: string) => void
}

export type ChildProgram<Order extends { readonly kind: string }> = {
  /** The hidden command that starts the process, and who starts it. */
  readonly command: string
  readonly startedBy: string
  /** Fields of every line that it logs. */
  readonly logFields: (start: Extract<Order, Start>) => Readonly<Record<string, string>>
  /** The message of the log when an error reaches the top of the process. */
  readonly died: string
  /** Resolves with the exit code. */
  readonly run: (start: Extract<Order, Start>, log: Logger, orders: AsyncIterable<Order>) => Promise<number>
}

/** Resolves with the exit code. */
export async function runChild<Order extends { readonly kind: string }>(
  { input, isJournal, printError }: ChildHost,
  { command, startedBy, logFields, died, run }: ChildProgram<Order>,
): Promise<number> {
  const lines = linesOf(input)
  const first = await lines.next()
  const start = first.done ? undefined : startOf<Order>(first.value)
  if (start === undefined) {
    printError(`bourse ${command} is started only by ${startedBy}`)
    return EXIT_USAGE
  }
  for (const signal of IGNORED) process.on(signal, () => {})
  const log = openLog(start.logLevel, isJournal).child(logFields(start))
  const bug = Promise.withResolvers<number>()
  const onBug = (err: unknown): void => {
    log.error({ err }, died)
    bug.resolve(EXIT_FAILED)
  }
  process.on('uncaughtException', onBug)
  process.on('unhandledRejection', onBug)
  return Promise.race([bug.promise, run(start, log, ordersOf<Order>(lines))])
}

/** Undefined if it is not the first line of a main process. */
function startOf<Order extends { readonly kind: string }>(line: string): Extract<Order, Start> | undefined {
  try {
    const order = parseJson(line, DOCUMENT_JSON) as Order
    return order.kind === 'start' ? (order as Extract<Order, Start>) : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

async function* ordersOf<Order>(lines: AsyncIterable<string>): AsyncGenerator<Order> {
  for await (const line of lines) yield parseJson(line, DOCUMENT_JSON) as Order
}

/** Lines of a byte stream, each as soon as it is complete. */
export async function* linesOf(input: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of input) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}
