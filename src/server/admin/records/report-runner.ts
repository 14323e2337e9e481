/**
 * Reports made by the node for callers of its admin server: each by a process of its own, a few at a time,
 * read at the reader's pace. A reader that disconnects, or reads nothing for a while, ends its report. This
 * module does not depend on how reports are made.
 */
import { cannotFail, guarded } from '../../../units/guarded.ts'
import { type AdminContext, AdminRequestError, type Caller } from '../context.ts'
import { StreamedText } from '../streamed-text.ts'
import type { ReportFailure, ReportRequest, RunningReport, StartReport } from './report-request.ts'

/** Maximum number of reports that are created at a time. */
export const REPORTS_MAX = 2
/** A reader that reads nothing for this long is treated as disconnected. */
const STALL_MS = 60_000

export type ReportRunnerOptions = {
  readonly start: StartReport
  readonly stallMs?: number
}

export class ReportRunner {
  readonly #start: StartReport
  readonly #stallMs: number
  /** Tokens with reports in progress. */
  readonly #holders = new Set<Caller['token']>()

  constructor({ start, stallMs = STALL_MS }: ReportRunnerOptions) {
    this.#start = start
    this.#stallMs = stallMs
  }

  /** Resolves when its first bytes are available. Throws `AdminRequestError`. */
  async make(
    request: ReportRequest,
    contentType: string,
    { caller, asker }: Pick<AdminContext, 'caller' | 'asker'>,
  ): Promise<StreamedText> {
    const { token } = caller
    if (this.#holders.size >= REPORTS_MAX || this.#holders.has(token))
      throw new AdminRequestError('TOO_MANY_REPORTS')
    const report = await this.#begin(request, token)
    return new StreamedText(contentType, await this.#read(report, asker))
  }

  /** Starts a report. The token's place is free again once the report has ended. */
  async #begin(request: ReportRequest, token: Caller['token']): Promise<RunningReport> {
    this.#holders.add(token)
    try {
      const report = await this.#start(request)
      void report.failure.then(() => this.#holders.delete(token))
      return report
    } catch (error) {
      this.#holders.delete(token)
      throw error
    }
  }

  async #read(report: RunningReport, { gone, mayGoOn }: AdminContext['asker']): Promise<ReadableStream> {
    const end = (): void => report.kill()
    gone.addEventListener('abort', end)
    if (gone.aborted) end()
    void report.failure.then(() => gone.removeEventListener('abort', end))
    const reader = report.output.getReader()
    const first = await reader.read()
    if (first.done) {
      const failure = await report.failure
      throw failure === undefined ? new AdminRequestError('REPORT_FAILED') : refusalOf(failure)
    }
    let next: Uint8Array | undefined = first.value
    let stalled = setTimeout(guarded(end, cannotFail), this.#stallMs)
    return new ReadableStream<Uint8Array>(
      {
        pull: async (stream) => {
          clearTimeout(stalled)
          if (!mayGoOn()) {
            end()
            throw new Error('the token is revoked')
          }
          const bytes = next ?? (await reader.read()).value
          next = undefined
          if (bytes !== undefined) {
            stalled = setTimeout(guarded(end, cannotFail), this.#stallMs)
            stream.enqueue(bytes)
            return
          }
          const failure = await report.failure
          // The connection is closed abnormally, so that the report is not taken for a complete one.
          if (failure !== undefined) throw new Error(failure.message)
          stream.close()
        },
        cancel: () => {
          clearTimeout(stalled)
          end()
        },
      },
      { highWaterMark: 0 },
    )
  }
}

/** The option `--at` of the command that creates the report is the field `at` of the request. */
function refusalOf({ kind, message }: ReportFailure): AdminRequestError {
  if (kind === 'DAMAGED') return new AdminRequestError('JOURNAL_DAMAGED', { message })
  if (kind === 'CANNOT_RUN') return new AdminRequestError('REPORT_FAILED', { message })
  const [, field, rest] = /^--([a-z]+):? (.*)$/s.exec(message) ?? []
  if (field === undefined) return new AdminRequestError('INVALID_FIELD', { message })
  return new AdminRequestError('INVALID_FIELD', { field, message: `${field}: ${rest}` })
}
