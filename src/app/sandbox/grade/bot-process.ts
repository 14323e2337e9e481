/**
 * The process of a graded bot, in a separate process group, so that processes started by a shell or npm end
 * with it.
 */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { cannotFail, guarded } from '../../../units/guarded.ts'
import type { BotEnd } from './record.ts'

/** Time for a bot to exit after SIGTERM. */
export const STOP_MS_MAX = 10_000

export type BotProcessOptions = {
  readonly command: readonly [string, ...string[]]
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Called with a line of its standard output; its standard error is passed through unchanged. */
  readonly onLine: (line: string) => void
}

export type BotEnding = { readonly end: BotEnd; readonly exitCode: number | null }

export class BotProcess {
  readonly #child: ReturnType<typeof spawn>
  /** Resolves with the exit code, null after a signal; rejects if the bot could not be started. */
  readonly exited: Promise<number | null>

  constructor({ command: [program, ...words], environment, onLine }: BotProcessOptions) {
    const child = spawn(program, words, {
      detached: true,
      env: { ...environment },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    this.#child = child
    const lines = createInterface({ input: child.stdout })
    lines.on('line', onLine)
    const drained = new Promise<void>((resolve) => lines.on('close', () => resolve()))
    const ended = Promise.withResolvers<number | null>()
    child.on('error', ended.reject)
    child.on('exit', (code) => ended.resolve(code))
    this.exited = ended.promise.then(async (code) => {
      await drained
      return code
    })
    this.exited.catch(() => {})
  }

  /** Requests that the bot end, and kills it if it does not. */
  async stop(): Promise<BotEnding> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null)
      return { end: 'BY_ITSELF', exitCode: await this.exited }
    let end: BotEnd = 'TOLD'
    this.#signal('SIGTERM')
    const timer = setTimeout(
      guarded(() => {
        end = 'KILLED'
        this.#signal('SIGKILL')
      }, cannotFail),
      STOP_MS_MAX,
    )
    const exitCode = await this.exited
    clearTimeout(timer)
    // Processes that it has started and left running.
    this.#signal('SIGKILL')
    return { end, exitCode }
  }

  #signal(signal: 'SIGTERM' | 'SIGKILL'): void {
    const { pid } = this.#child
    if (pid === undefined) return
    try {
      process.kill(-pid, signal)
    } catch (error) {
      // No process is left.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}
