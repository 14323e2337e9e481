/**
 * `bourse report`: a bookkeeper's reports on an exchange, created by a replay of its journal from the first
 * command. The same journal gives the same bytes, on any machine.
 */

import { type Arguments, UsageError } from '../../../cli/arguments.ts'
import { isoTime } from '../../../contract/time.ts'
import { hexOf } from '../../../engine/port/journal.ts'
import { type DayNumber, dayOf } from '../../../engine/reports/statement.ts'
import { sha256 } from '../../../storage/sha256.ts'
import { meant } from '../../../units/nearest.ts'
import { printable } from '../../../units/printable.ts'
import { type Moment, momentOf } from '../backup/moment.ts'
import { type Audited, auditedOf } from '../verification/data.ts'
import { type AuditCommand, type AuditHost, CannotRunError, EXIT_FINDING } from '../verification/host.ts'
import { count, Progress } from '../verification/progress.ts'
import { type Replayed, type ReplayState, replayAudited } from '../verification/replayed.ts'
import { dayGiven, dayText, endOfDay } from './days.ts'
import { REPORT_KINDS, type Report, type ReportKind } from './kinds.ts'
import { REPORT_FORMATS, type ReportFormat, ReportOutput } from './output.ts'
import { subjectOf } from './subject.ts'

const HELP = `bourse report: statements, trades, fees and balances for bookkeeping

Usage: bourse report statements --data DIR|--config FILE [--from DAY] [--to DAY] [options]
       bourse report trades     --data DIR|--config FILE [--from DAY] [--to DAY] [options]
       bourse report fees       --data DIR|--config FILE [--from DAY] [--to DAY] [options]
       bourse report balances   --data DIR|--config FILE [--to DAY | --at MOMENT] [options]

Replays the journal from its first command, checks its hash chain and writes the rows in order. Works on a stopped or a
running node and on a backup, and changes nothing. The same journal gives the same bytes.

statements: for each UTC day, account and asset with changes, an OPENING row, every change with its cause, and a CLOSING
row; accounts of the house and of the outside world are included. trades: each side of each trade. fees: commission by day,
symbol, account and asset. balances: every balance that is not 0.

Options:
  --data DIR       data directory [DATA_DIR]
  --config FILE    instead of --data: cluster file; the journal is read from its database
  --from DAY       first UTC day, such as 2026-01-31; default: the day of the journal's first command
  --to DAY         last UTC day; default: the end of the journal
  --at MOMENT      balances: after this command, or at a time such as 2026-01-31T23:59:59Z
  --account NAME   only this account
  --format FORMAT  csv (default), or json: one object per line
  --out FILE       output file, which appears only when it is complete; default: standard output
  --help           show this help

The first line describes the source of the report, and the last line its end: a report without the last line is incomplete.

Exit code: 0 done, 1 the journal is damaged or its amounts do not add up: the last line is missing, and no file is created;
2 the command line is invalid or the command could not be carried out.`

type Request = {
  readonly name: string
  readonly kind: ReportKind
  readonly from: DayNumber | undefined
  readonly to: DayNumber | undefined
  readonly until: Moment | undefined
  readonly account: string | undefined
  /** The options as given, for the report's first line. */
  readonly given: Readonly<Record<string, string | undefined>>
}

export const REPORT: AuditCommand = {
  name: 'report',
  help: HELP,
  subjects: Object.keys(REPORT_KINDS),
  forms: {
    data: 'value',
    config: 'value',
    from: 'value',
    to: 'value',
    at: 'value',
    account: 'value',
    format: 'value',
    out: 'value',
  },
  run: async (given, host) => {
    const { subject, rest } = subjectOf(given, REPORT)
    const request = requestOf(subject, rest)
    const format = formatOf(rest.options.get('format'))
    const audited = auditedOf(rest, host)
    const out = rest.options.get('out')
    const file = typeof out === 'string' ? out : undefined
    const output = new ReportOutput({ format, columns: request.kind.columns, file, print: host.print })
    try {
      return await writeReport(audited, request, output, host)
    } finally {
      output.abandon()
    }
  },
}

function requestOf(name: string, { options }: Arguments): Request {
  const kind = REPORT_KINDS[name] as ReportKind
  const text = (option: string): string | undefined => {
    const value = options.get(option)
    return typeof value === 'string' ? value : undefined
  }
  const [from, to] = [dayGiven('--from', text('from')), dayGiven('--to', text('to'))]
  const at = momentOf('--at', text('at'))
  if (kind.isOfMoment && from !== undefined) throw new UsageError('balances need a moment: --to or --at')
  if (!kind.isOfMoment && at !== undefined)
    throw new UsageError(`--at is only for balances; ${name} takes --from and --to`)
  if (at !== undefined && to !== undefined) throw new UsageError('expected only one of --to and --at')
  if (from !== undefined && to !== undefined && to < from)
    throw new UsageError(`--to ${text('to')} is before --from ${text('from')}`)
  const given = { from: text('from'), to: text('to'), at: text('at'), account: text('account') }
  const until = to === undefined ? at : endOfDay(to)
  return { name, kind, from, to, until, account: text('account'), given }
}

function formatOf(text: string | true | undefined): ReportFormat {
  if (text === undefined) return 'csv'
  const format = REPORT_FORMATS.find((known) => known === text)
  if (format !== undefined) return format
  throw new UsageError(`--format: expected ${REPORT_FORMATS.join(' or ')}, found ${text}`)
}

async function writeReport(
  audited: Audited,
  request: Request,
  output: ReportOutput,
  host: AuditHost,
): Promise<number> {
  const writer = new ReportWriter(request, output)
  const progress = new Progress(host, 'reading')
  const replayed = await replayAudited({
    audited,
    host,
    progress,
    until: request.until,
    mustReach: true,
    before: ({ time }, state) => writer.before(dayOf(time), state),
    take: (step) => writer.report?.take?.(step),
  })
  if (replayed.exitCode !== 0) return replayed.exitCode
  requireKnown(request, replayed)
  writer.end(replayed)
  for (const problem of writer.problems) host.printError(`STATEMENT: ${printable(problem)}`)
  if (writer.problems.length > 0) return EXIT_FINDING
  output.end(tailOf(replayed, output.rows))
  return 0
}

/** A name that no account has had is mistyped: an empty report would be misleading. */
function requireKnown({ account, until }: Request, { names, exchange }: Replayed): void {
  if (until?.kind === 'seq' && until.seq > exchange.seq)
    throw new CannotRunError(`there is no command ${until.seq}: the journal ends at ${exchange.seq}`)
  if (account === undefined || names.accountId(account) !== undefined) return
  throw new UsageError(
    `--account: there is no account ${account} after command ${exchange.seq}${meant(account, names.accountNames())}`,
  )
}

/** The end of the report: reports with equal ends are equal up to there. */
function tailOf({ exchange, tail, isPast }: Replayed, rows: number) {
  return {
    rows,
    command: exchange.seq,
    time: isoTime(exchange.time),
    batchEnd: tail.seq,
    journalHash: hexOf(tail.hash),
    stateHash: hexOf(sha256([exchange.encodeSnapshot()])),
    isFinal: isPast ? 'yes' : 'no',
  }
}

/** Maximum number of messages about mismatches. */
const PROBLEMS_MAX = 20

class ReportWriter {
  readonly problems: string[] = []
  readonly #request: Request
  readonly #output: ReportOutput
  #report: Report | undefined

  constructor(request: Request, output: ReportOutput) {
    this.#request = request
    this.#output = output
  }

  /** Undefined if its period has not begun. */
  get report(): Report | undefined {
    return this.#report
  }

  /** Must be called before a batch of `day` is applied. */
  before(day: DayNumber, state: ReplayState): void {
    const { from, kind } = this.#request
    if (kind.isOfMoment || (from !== undefined && day < from)) return
    this.#report ??= this.#begin(from ?? day, state)
    this.#report.beforeBatch?.(day)
  }

  /** Throws `CannotRunError` if the journal has no data of the period. */
  end(replayed: Replayed): void {
    const { exchange, tail, isPast } = replayed
    const { from, to, kind } = this.#request
    const lastDay = dayOf(tail.time)
    if (exchange.seq === 0)
      throw new CannotRunError(isPast ? 'the journal begins later' : 'the journal has no command yet')
    if (from !== undefined && lastDay < from && !isPast) {
      const where = `the journal ends on ${dayText(lastDay)}, at command ${count(exchange.seq)}`
      throw new CannotRunError(`--from ${dayText(from)}: ${where}`)
    }
    this.#report ??= this.#begin(from ?? lastDay, replayed)
    this.#report.end(isPast && to !== undefined && !kind.isOfMoment ? to : lastDay)
  }

  #begin(day: DayNumber, state: ReplayState): Report {
    const { name, kind, given, account } = this.#request
    const { exchange, names, tail, firstHash } = state
    const journal = firstHash && hexOf(firstHash)
    const after = kind.isOfMoment ? {} : { afterCommand: exchange.seq, afterHash: hexOf(tail.hash) }
    this.#output.begin({ report: name, format: 1, journal, ...given, ...after })
    const report = kind.make({
      state,
      isShown: (id) => account === undefined || names.account(id) === account,
      row: (row) => this.#output.row(row),
      problem: (sentence) => {
        if (this.problems.length < PROBLEMS_MAX) this.problems.push(sentence)
      },
    })
    report.begin?.(day)
    return report
  }
}
