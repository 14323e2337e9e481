/**
 * A report in a separate process, at the lowest priority: the same program, which receives the kind of the
 * report and the location of the journal on its standard input. Its output waits in the pipe until it is
 * read.
 */

import { constants, setPriority } from 'node:os'
import path from 'node:path'
import type {
  ReportFailure,
  ReportRequest,
  RunningReport,
} from '../../../server/admin/records/report-request.ts'
import { DOCUMENT_JSON, parseJson } from '../../../units/bounded-json.ts'
import { ownProgram, plainEnvironment } from '../../process/own-program.ts'
import { REPORT_COMMAND, type ReportOrder, type ReportPlace } from './report-order.ts'

/** Put there by the operator, or created by `bourse liabilities prove`. */
export const SEED_FILE = 'liabilities.seed'

export function startReport(request: ReportRequest, { dataDirectory, address }: ReportPlace): RunningReport {
  const { url, token } = address()
  const line = lineOf(request, path.join(dataDirectory, SEED_FILE))
  const order: ReportOrder = { line: [...line, '--data', dataDirectory], url, token }
  const child = Bun.spawn([...ownProgram(), REPORT_COMMAND], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
    env: plainEnvironment(),
  })
  try {
    // Set before the process has threads of its own, which inherit the priority.
    setPriority(child.pid, constants.priority.PRIORITY_LOW)
  } catch {
    // The process has ended, or the system does not permit it: then its priority stays unchanged.
  }
  void Promise.resolve(child.stdin.write(`${JSON.stringify(order)}\n`)).catch(() => {})
  void Promise.resolve(child.stdin.flush()).catch(() => {})
  return {
    output: child.stdout,
    failure: failureOf(child),
    kill: () => child.kill('SIGKILL'),
  }
}

/** The command line that creates the same report. */
function lineOf(request: ReportRequest, seedFile: string): readonly string[] {
  if (request.kind === 'LIABILITIES') {
    const { at, account } = request
    const what = account === undefined ? ['root'] : ['account']
    return ['liabilities', ...what, '--seed', seedFile, ...options({ at, account })]
  }
  const { report, from, to, at, account, format } = request
  return ['report', report, ...options({ from, to, at, account, format })]
}

function options(given: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${value}`]))
}

type Child = { readonly exited: Promise<number>; readonly stderr: ReadableStream<Uint8Array> }

/** Its last output, if it has failed. */
async function failureOf({ exited, stderr }: Child): Promise<ReportFailure | undefined> {
  const [exitCode, text] = await Promise.all([exited, new Response(stderr).text()])
  if (exitCode === 0) return undefined
  const said = saidIn(text)
  return (
    said ?? {
      kind: 'CANNOT_RUN',
      message: `the report ended before it was complete (exit code ${exitCode})`,
    }
  )
}

function saidIn(text: string): ReportFailure | undefined {
  try {
    return parseJson(text.trim().split('\n').at(-1) ?? '', DOCUMENT_JSON) as ReportFailure
  } catch {
    return undefined
  }
}
