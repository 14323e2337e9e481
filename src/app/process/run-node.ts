/** A process around a node: handles signals, failures and exit codes. */
import type { Logger } from '../../server/common/logger.ts'
import { isHistoryFailure } from './final-message.ts'
import { within } from './within.ts'

const EXIT_STOPPED = 0
const EXIT_FAILED = 1
/** The exit code that requests an immediate restart of the process (EX_TEMPFAIL in sysexits.h). */
const EXIT_RESTART = 75
/**
 * A second signal this soon is the echo of the first: a terminal and npm may both send one for one key press.
 */
const ECHO_MS = 1_000
/** A stop that takes longer has hung. Acknowledged commands are in the journal nevertheless. */
const STOP_TIMEOUT_MS = 60_000
/** Time that clients of a failed node have to read their last answers. */
const ABANDON_TIMEOUT_MS = 1_000

type Ending = { readonly cause: unknown } | { readonly signal: string }

/** A node, or another process that runs until a signal. */
export type RunningProcess = {
  /** Rejects when a part has failed: the process must end. Never resolves. */
  readonly failed: Promise<never>
  /** Applies the certificate in its files. */
  renewCertificate(): void
  /** Reports from now on that it is not ready; called before `stop`. */
  drain(): Promise<void>
  stop(): Promise<void>
  /** Called when a part fails: answers the pending requests where possible. */
  abandon(): Promise<void>
}

/** The process should end and be restarted, which fixes the given problem. */
export class RestartFault extends Error {
  override readonly name = 'RestartFault'
}

/**
 * Runs a node until a signal or a failure; resolves with the exit code. A second signal ends the process at
 * once. Rejects if the start or the history failed: the caller reports why.
 */
export async function runNode(start: () => Promise<RunningProcess>, log: Logger): Promise<number> {
  const ending = Promise.withResolvers<Ending>()
  let node: RunningProcess | undefined
  // Asks a running node to reload its certificate; a starting node reads it anyway.
  process.on('SIGHUP', () => node?.renewCertificate())
  watchSignals(log, (signal) => ending.resolve({ signal }))
  let isEnding = false
  void ending.promise.then(() => {
    isEnding = true
  })
  watchBugs((cause) => {
    if (isEnding) log.error({ err: cause }, 'an internal error while the node was stopping')
    else ending.resolve({ cause })
  })
  const first = await Promise.race([ending.promise, start()])
  if ('cause' in first) return died(first.cause, log)
  // Nothing has been taken yet, and a start may be interrupted at any time: it need not wait for a long
  // replay.
  if ('signal' in first) return EXIT_STOPPED

  node = first
  node.failed.catch((cause) => ending.resolve({ cause }))
  const end = await ending.promise
  if ('signal' in end) return stopped(node, log)
  if (end.cause instanceof RestartFault)
    log.warn({ err: end.cause }, 'the process exits and must be started again')
  else if (!isHistoryFailure(end.cause)) died(end.cause, log)
  await within(node.abandon(), ABANDON_TIMEOUT_MS)
  // Its message is printed once, as the final message of the process.
  if (isHistoryFailure(end.cause)) throw end.cause
  return end.cause instanceof RestartFault ? EXIT_RESTART : EXIT_FAILED
}

async function stopped(node: RunningProcess, log: Logger): Promise<number> {
  try {
    await node.drain()
    const done = await within(node.stop(), STOP_TIMEOUT_MS)
    if (done) return EXIT_STOPPED
    log.error({ timeoutMs: STOP_TIMEOUT_MS }, 'the node did not stop in time')
  } catch (cause) {
    if (isHistoryFailure(cause)) throw cause
    log.error({ err: cause }, 'the node did not stop cleanly')
  }
  return EXIT_FAILED
}

function died(cause: unknown, log: Logger): number {
  log.error({ err: cause }, 'the node failed')
  return EXIT_FAILED
}

function watchSignals(log: Logger, onFirst: (signal: string) => void): void {
  let firstAtMs: number | undefined
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      const nowMs = performance.now()
      if (firstAtMs === undefined) {
        firstAtMs = nowMs
        log.info({ signal }, 'stopping')
        onFirst(signal)
      } else if (nowMs - firstAtMs >= ECHO_MS) {
        log.warn({ signal }, 'stopped at once by a second signal')
        process.exit(EXIT_FAILED)
      }
    })
  }
}

/** Watches for unhandled errors, which are bugs: the node ends and recovers from its journal. */
function watchBugs(onBug: (cause: unknown) => void): void {
  process.on('uncaughtException', onBug)
  process.on('unhandledRejection', onBug)
}
