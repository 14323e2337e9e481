/** What makes reports for the admin server of a process: its parts are loaded with the first one that is asked for. */
import { ReportDesk } from '../../gateway/admin/reports/report-desk.ts'
import type { AdminAddress } from '../../wire/admin.ts'

/** The word that starts the process of a report; of no use to anybody else. */
export const REPORT_COMMAND = 'report-process'

export type ReportPlace = {
  readonly dataDirectory: string
  /** The process's own admin server, which its reports read the journal from. */
  readonly address: () => Pick<AdminAddress, 'url' | 'token'>
}

export function reportDesk(place: ReportPlace): ReportDesk {
  const start = async (wish: Parameters<ReportDesk['make']>[0]) => {
    const { startReport } = await import('./report-process.ts')
    return startReport(wish, place)
  }
  return new ReportDesk({ start })
}
