/** Makes reports for the admin server of a process; its modules are loaded with the first report. */
import { ReportRunner } from '../../../server/admin/records/report-runner.ts'
import type { ReportPlace } from './report-order.ts'

export function reportRunner(place: ReportPlace): ReportRunner {
  const start = async (request: Parameters<ReportRunner['make']>[0]) => {
    const { startReport } = await import('./report-process.ts')
    return startReport(request, place)
  }
  return new ReportRunner({ start })
}
