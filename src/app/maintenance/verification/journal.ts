/** `bourse journal`: the commands, their answers and, on request, their effects, one line per command. */
import type { Arguments } from '../../../cli/arguments.ts'
import { UsageError } from '../../../cli/arguments.ts'
import { isoTime } from '../../../contract/time.ts'
import { COMMAND_KINDS, type Command } from '../../../core/commands/command.ts'
import type { ExchangeEvent } from '../../../core/events/event.ts'
import type { AuditNames } from '../../../engine/audit/names.ts'
import { Describer } from '../../../server/description/describer.ts'
import { lineOf } from '../../../server/description/fields.ts'
import { meant } from '../../../units/nearest.ts'
import { isBefore, type Moment, momentOf } from '../backup/moment.ts'
import { type Audited, auditedOf } from './data.ts'
import type { AuditCommand, AuditHost } from './host.ts'
import { OWN_KINDS, ownBatchText, ownKind } from './own-batches-text.ts'
import { Progress } from './progress.ts'
import { type ReplayState, type ReplayStep, replayAudited } from './replayed.ts'

const HELP = `bourse journal: list the commands of a journal

Usage: bourse journal --data DIR|--config FILE [options]

Prints one line for each command: number, time, kind, parameters, and after => the result. The journal is checked and
replayed from its first command, so that accounts, assets and symbols are shown by name. Secrets are never shown, not even
encrypted. Works on a stopped or a running node.

Options:
  --data DIR      data directory [DATA_DIR]
  --config FILE   instead of --data: cluster file; the journal is read from its database
  --from MOMENT   first command: its number, or a time such as 2026-01-31T23:59:59Z
  --to MOMENT     last command: its number or a time
  --kind A,B      only commands of these kinds, for example PlaceOrder,CancelOrder; Claim, Quarantine and Seal are
                  entries of the journal itself
  --account NAME  only commands that this account sent or that affected it, for example as the maker of a trade
  --symbol NAME   only commands that concern this symbol
  --events        also print the events of each command, one per line
  --json          print one JSON object per line; with --events, the field events contains the events
  --help          show this help

Exit code: 0 done, 1 the journal is damaged (the commands before the damage are shown), 2 the command line is invalid
or the journal could not be read.`

export const JOURNAL: AuditCommand = {
  name: 'journal',
  help: HELP,
  forms: {
    data: 'value',
    config: 'value',
    from: 'value',
    to: 'value',
    kind: 'value',
    account: 'value',
    symbol: 'value',
    events: 'flag',
    json: 'flag',
  },
  run: (given, host) => list(auditedOf(given, host), filterOf(given), given, host),
}

type Filter = {
  readonly from: Moment | undefined
  readonly to: Moment | undefined
  readonly kinds: ReadonlySet<string> | undefined
  readonly account: string | undefined
  readonly symbol: string | undefined
}

function filterOf({ options }: Arguments): Filter {
  const text = (name: string): string | undefined => {
    const value = options.get(name)
    return typeof value === 'string' ? value : undefined
  }
  const kinds = text('kind')
    ?.split(',')
    .map((kind) => kind.trim())
  for (const kind of kinds ?? []) {
    const kinds = [...COMMAND_KINDS, ...OWN_KINDS]
    if (!kinds.includes(kind)) {
      throw new UsageError(`there is no kind ${kind}${meant(kind, kinds)}; the kinds are ${kinds.join(', ')}`)
    }
  }
  return {
    from: momentOf('--from', options.get('from')),
    to: momentOf('--to', options.get('to')),
    kinds: kinds === undefined ? undefined : new Set(kinds),
    account: text('account'),
    symbol: text('symbol'),
  }
}

async function list(
  audited: Audited,
  filter: Filter,
  { options }: Arguments,
  host: AuditHost,
): Promise<number> {
  const show = { events: options.has('events'), json: options.has('json') }
  const progress = new Progress(host, 'reading')
  const take = (step: ReplayStep, { names }: ReplayState): void => {
    if (!isShown(step, filter, names)) return
    progress.end()
    host.print(textOf(step, new Describer(names), show))
  }
  const { exitCode, names } = await replayAudited({ audited, host, progress, until: filter.to, take })
  requireKnown(filter, names)
  return exitCode
}

/** A name that no account has had up to the last command is mistyped: an empty list would be misleading. */
function requireKnown({ account, symbol, to }: Filter, names: AuditNames): void {
  const when = to === undefined ? '' : ' up to that moment'
  if (account !== undefined && names.accountId(account) === undefined) {
    throw new UsageError(`there is no account ${account}${when}${meant(account, names.accountNames())}`)
  }
  if (symbol !== undefined && names.symbolByName(symbol) === undefined) {
    const known = [...names.symbols()].map(({ name }) => name)
    throw new UsageError(`there is no symbol ${symbol}${when}${meant(symbol, known)}`)
  }
}

function isShown(step: ReplayStep, filter: Filter, names: AuditNames): boolean {
  const { seq, time, command, events, batch } = step
  if (isBefore(filter.from, seq, time)) return false
  const kind = ownKind(batch.kind) ?? command?.kind
  if (filter.kinds !== undefined && !(kind !== undefined && filter.kinds.has(kind))) return false
  if (filter.account !== undefined && !touchesAccount(command, events, filter.account, names)) return false
  return filter.symbol === undefined || touchesSymbol(command, events, filter.symbol, names)
}

function touchesAccount(
  command: Command | undefined,
  events: readonly ExchangeEvent[],
  name: string,
  names: AuditNames,
): boolean {
  if (command?.kind === 'CreateAccount' || command?.kind === 'OpenCustomer') return command.name === name
  const id = names.accountId(name)
  if (id === undefined) return false
  if (command !== undefined && 'accountId' in command && command.accountId === id) return true
  return events.some((event) => {
    if (event.kind === 'OrdersMatched') return event.maker.accountId === id || event.taker.accountId === id
    if (event.kind === 'ApiKeyChanged') return event.apiKey.accountId === id
    if (event.kind === 'AccountChanged') return event.account.id === id
    if (event.kind === 'WithdrawalChanged') return event.withdrawal.accountId === id
    if (event.kind === 'ApprovalChanged') return event.approval.accountId === id
    return 'accountId' in event && event.accountId === id
  })
}

function touchesSymbol(
  command: Command | undefined,
  events: readonly ExchangeEvent[],
  name: string,
  names: AuditNames,
): boolean {
  if (command?.kind === 'ListSymbol') return `${command.base}/${command.quote}` === name
  if (command !== undefined && 'symbol' in command) return command.symbol === name
  const id = names.symbolByName(name)?.id
  if (id === undefined) return false
  if (command !== undefined && 'symbolId' in command && command.symbolId === id) return true
  return events.some((event) => 'symbolId' in event && event.symbolId === id)
}

function textOf(
  step: ReplayStep,
  describer: Describer,
  show: { readonly events: boolean; readonly json: boolean },
): string {
  const { seq, time, command, reply, events, batch } = step
  const own = ownBatchText(batch)
  const kind = own?.kind ?? command?.kind ?? 'Quarantined'
  const asked = own?.asked ?? (command === undefined ? {} : describer.command(command))
  const answered = own === undefined ? describer.reply(reply) : { result: 'done' }
  if (show.json) {
    const caused = events.map((event) => ({ kind: event.kind, ...describer.event(event, time) }))
    const line = { seq, time: isoTime(time), kind, ...asked, answer: answered }
    return JSON.stringify(show.events ? { ...line, events: caused } : line)
  }
  const head = [seq, isoTime(time), kind, lineOf(asked)].filter((part) => part !== '').join('  ')
  const lines = [`${head}  => ${lineOf(answered)}`]
  if (show.events)
    for (const event of events) lines.push(`    ${event.kind}  ${lineOf(describer.event(event, time))}`)
  return lines.join('\n')
}
