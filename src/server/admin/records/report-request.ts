/** A request for a report, and its result. */
import type { ReportName } from '../../../contract/admin/operations/reports.ts'

export type ReportRequest =
  | {
      readonly kind: 'REPORT'
      readonly report: ReportName
      readonly from: string | undefined
      readonly to: string | undefined
      readonly at: string | undefined
      readonly account: string | undefined
      readonly format: 'csv' | 'json'
    }
  /** The root of the proof of liabilities, or the part for one account. */
  | {
      readonly kind: 'LIABILITIES'
      readonly at: string | undefined
      readonly account: string | undefined
    }

/** The reason why there is no report, or no complete one. */
export type ReportFailure = {
  readonly kind: 'NOT_UNDERSTOOD' | 'CANNOT_RUN' | 'DAMAGED'
  readonly message: string
}

export type RunningReport = {
  /** The report is created while it is read. */
  readonly output: ReadableStream<Uint8Array>
  /** Resolves once the report has ended: undefined if it is complete. */
  readonly failure: Promise<ReportFailure | undefined>
  /** Ends the report at once; does nothing once it has ended. */
  kill(): void
}

export type StartReport = (request: ReportRequest) => Promise<RunningReport>
