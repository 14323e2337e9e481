/** Reports that a running node makes: their answers are texts, sent as they are made. */

export const REPORT_NAMES = ['statements', 'trades', 'fees', 'balances'] as const
export type ReportName = (typeof REPORT_NAMES)[number]

export type ReportOperations = {
  /** Days and moments as `bourse report` takes them; `csv` without a format. */
  'report/show': {
    readonly request: {
      report: ReportName
      from?: string | undefined
      to?: string | undefined
      at?: string | undefined
      account?: string | undefined
      format?: 'csv' | 'json' | undefined
    }
    /** A text, as it is. */
    readonly result: never
  }
  /** The root of the proof of liabilities, or with an account what is given to its owner. */
  'liabilities/show': {
    readonly request: { at?: string | undefined; account?: string | undefined }
    readonly result: never
  }
}
