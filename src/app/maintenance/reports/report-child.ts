/**
 * The process of a report for a running node: one of the auditor's commands, which reads the journal from the
 * node at a pace that leaves the node most of its time. It ends when its parent process ends.
 */

import { parseArguments } from '../../../cli/arguments.ts'
import type { ReportFailure } from '../../../server/admin/records/report-request.ts'
import { DOCUMENT_JSON, parseJson } from '../../../units/bounded-json.ts'
import { linesOf } from '../../process/child.ts'
import { NodeJournal } from '../backup/node-journal.ts'
import { type AuditHost, EXIT_CANNOT, EXIT_FINDING } from '../verification/host.ts'
import { auditCommand, auditFailure } from '../verification/run.ts'
import { REPORT_COMMAND, type ReportOrder } from './report-order.ts'

/** Reading takes at most 1/`READING_SHARE` of a replay's time: each read blocks the node's writer briefly. */
const READING_SHARE = 5

/** Resolves with the exit code. `onGone`: called when the parent process has ended. */
export async function runReportChild(
  input: AsyncIterable<Uint8Array>,
  host: AuditHost,
  onGone: () => void,
): Promise<number> {
  const orders = linesOf(input)
  const first = await orders.next()
  const order = first.done ? undefined : orderOf(first.value)
  const command = auditCommand(order?.line[0])
  if (order === undefined || command === undefined) {
    host.printError(`bourse ${REPORT_COMMAND} is started only by a node`)
    return EXIT_CANNOT
  }
  void orders.next().then(onGone, onGone)
  const found: string[] = []
  const fail = (failure: ReportFailure): void => host.printError(JSON.stringify(failure))
  const address = { url: order.url, token: order.token, pid: undefined }
  try {
    const exitCode = await command.run(parseArguments(order.line.slice(1), command.forms), {
      ...host,
      printError: (text) => found.push(text),
      journal: () => NodeJournal.at(address, READING_SHARE),
    })
    if (exitCode !== 0)
      fail({ kind: exitCode === EXIT_FINDING ? 'DAMAGED' : 'CANNOT_RUN', message: found.join('; ') })
    return exitCode
  } catch (error) {
    const failure = auditFailure(error)
    if (failure === undefined) throw error
    const { reason, exitCode } = failure
    const isDamage = exitCode === EXIT_FINDING
    const kind = isDamage ? 'DAMAGED' : reason === 'NOT_UNDERSTOOD' ? reason : 'CANNOT_RUN'
    fail({ kind, message: failure.message })
    return exitCode
  }
}

function orderOf(text: string): ReportOrder | undefined {
  try {
    const { line, url, token } = parseJson(text, DOCUMENT_JSON) as ReportOrder
    return Array.isArray(line) && typeof url === 'string' && typeof token === 'string'
      ? { line, url, token }
      : undefined
  } catch {
    return undefined
  }
}
