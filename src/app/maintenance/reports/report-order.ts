/** The protocol between a node and the process of a report. */
import type { AdminAddress } from '../../../contract/admin/admin.ts'

/** The command-line word that starts the process of a report; not for other use. */
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
