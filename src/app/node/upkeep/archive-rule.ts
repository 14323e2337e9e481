/**
 * Automatic archiving of a node: once a day, at a set time, it runs `bourse archive` in a process of its own,
 * which reads the journal through the admin server like an auditor. Loaded only if the settings request it.
 */

import type { Scheduler } from '../../../engine/writer/loop.ts'
import type { Logger } from '../../../server/common/logger.ts'
import { DOCUMENT_JSON, parseJson } from '../../../units/bounded-json.ts'
import type { ArchiveSettings } from '../../settings/defaults.ts'

/** A run of the command. */
export type ArchiveRun = {
  readonly ended: Promise<{ readonly code: number; readonly out: string; readonly err: string }>
  /** Ends it; the next run does the remaining work. */
  stop(): void
}

export type ArchiveRuleOptions = {
  readonly settings: ArchiveSettings & { readonly keepDays: number }
  readonly dataDirectory: string
  /** Starts `bourse` with these words. */
  readonly start: (line: readonly string[]) => ArchiveRun
  readonly scheduler: Pick<Scheduler, 'later'>
  /** Milliseconds since 1970. */
  readonly nowMs: () => number
  readonly log: Logger
}

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** Maximum interval between reads of the clock, which may be set. */
const CHECK_MS = 60 * MINUTE_MS

export class ArchiveRule {
  readonly #options: ArchiveRuleOptions
  #cancel: () => void = () => {}
  #run: ArchiveRun | undefined
  #working: Promise<void> = Promise.resolve()
  #isStopped = false
  #hasFailed = false

  /** Waits for the time of the day from here on. */
  constructor(options: ArchiveRuleOptions) {
    this.#options = options
    this.#waitFor(nextMs(options.settings.at, options.nowMs()))
  }

  /** Whether the last run failed. */
  get hasFailed(): boolean {
    return this.#hasFailed
  }

  /** Stops archiving; a current run is ended. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#cancel()
    this.#run?.stop()
    await this.#working
  }

  #waitFor(dueMs: number): void {
    const { nowMs, scheduler, settings } = this.#options
    const waitMs = Math.min(CHECK_MS, Math.max(0, dueMs - nowMs()))
    this.#cancel = scheduler.later(() => {
      if (this.#isStopped) return
      if (nowMs() < dueMs) {
        this.#waitFor(dueMs)
        return
      }
      this.#working = this.#archive().finally(() => {
        if (!this.#isStopped) this.#waitFor(nextMs(settings.at, nowMs()))
      })
    }, waitMs)
  }

  /** Never rejects: whatever prevents it, the node continues to trade. */
  async #archive(): Promise<void> {
    try {
      await this.#runOnce()
    } catch (err) {
      this.#hasFailed = true
      const problem = err instanceof Error ? err.message : String(err)
      this.#options.log.error({ alarm: 'ARCHIVE_FAILED', problem }, 'nothing was archived')
    }
  }

  async #runOnce(): Promise<void> {
    const { start, log } = this.#options
    this.#run = start(this.#line())
    const { code, out, err } = await this.#run.ended.finally(() => {
      this.#run = undefined
    })
    if (this.#isStopped) return
    this.#hasFailed = code !== 0
    if (code !== 0) {
      log.error({ alarm: 'ARCHIVE_FAILED', code, problem: err.trim() }, 'nothing was archived')
      return
    }
    const { archived, ...fields } = parseJson(out, DOCUMENT_JSON) as { readonly archived: boolean }
    if (archived) log.info(fields, 'older commands were archived')
    else log.debug(fields, 'no command was old enough to be archived')
  }

  #line(): string[] {
    const { settings, dataDirectory } = this.#options
    const { keepDays, everyDays, directory } = settings
    return [
      ...['archive', '--data', dataDirectory, '--json'],
      ...['--keep-days', String(keepDays), '--at-least-days', String(everyDays)],
      ...(directory === undefined ? [] : ['--to', directory]),
    ]
  }
}

/** The next time later than `nowMs` at which it is `at` (`03:30`, UTC); milliseconds since 1970. */
export function nextMs(at: string, nowMs: number): number {
  const [hours = 0, minutes = 0] = at.split(':').map(Number)
  const ofDay = (hours * 60 + minutes) * MINUTE_MS
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS + ofDay
  return today > nowMs ? today : today + DAY_MS
}
