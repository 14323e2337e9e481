/** What makes reports for the admin server of a process: its parts are loaded with the first one that is asked for. */
import { ReportDesk } from '../../../server/admin/records/report-desk.ts'
import type { ReportPlace } from './report-order.ts'

export function reportDesk(place: ReportPlace): ReportDesk {
  const start = async (wish: Parameters<ReportDesk['make']>[0]) => {
    const { startReport } = await import('./report-process.ts')
    return startReport(wish, place)
  }
  return new ReportDesk({ start })
}
