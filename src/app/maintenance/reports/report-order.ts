/** What a node and the process of a report know of each other. */
import type { AdminAddress } from '../../../wire/admin.ts'

/** The word that starts the process of a report; of no use to anybody else. */
export const REPORT_COMMAND = 'report-process'

export type ReportPlace = {
  readonly dataDirectory: string
  /** The process's own admin server, which its reports read the journal from. */
  readonly address: () => Pick<AdminAddress, 'url' | 'token'>
}

export type ReportOrder = {
  readonly line: readonly string[]
  /** The admin server of the node, and a token that may read its journal. */
  readonly url: string
  readonly token: string
}
