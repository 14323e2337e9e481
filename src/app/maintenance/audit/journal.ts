/**
 * `bourse journal`: what was commanded, what was answered and, if asked, what it caused, one line a command.
 */
import type { Arguments } from '../../../cli/arguments.ts'
import { UsageError } from '../../../cli/arguments.ts'
import type { Command, CommandKind } from '../../../core/exchange/command.ts'
import type { ExchangeEvent } from '../../../core/exchange/event.ts'
import type { AuditNames } from '../../../engine/audit/names.ts'
import { Describer } from '../../../server/description/describer.ts'
import { lineOf } from '../../../server/description/fields.ts'
import { meant } from '../../../units/nearest.ts'
import { isoTime } from '../../../wire/time.ts'
import { isBefore, type Moment, momentOf } from '../backup/moment.ts'
import { type Audited, auditedOf } from './data.ts'
import type { AuditCommand, AuditHost } from './host.ts'
import { OWN_KINDS, ownKind, ownWords } from './own-words.ts'
import { Progress } from './progress.ts'
import { type ReplayState, type ReplayStep, replayAudited } from './replayed.ts'

const HELP = `bourse journal: the commands of a data directory in words

Usage: bourse journal --data DIR|--config FILE [options]

One line a command: number, time, kind, what it asks for, and after => what was answered. The journal is checked and
replayed from its first command on the way, so names are names, and every line is what happened. Secrets are
never shown, not even sealed. Works on a stopped and on a running node.

Options:
  --data DIR      data directory [DATA_DIR]
  --config FILE   instead: the file of a cluster, whose journal is read from its database
  --from MOMENT   first command: its number, or a time like 2026-01-31T23:59:59Z
  --to MOMENT     last command, likewise
  --kind A,B      only these kinds of commands, for example PlaceOrder,CancelOrder; Claim, Quarantine and Seal are the
                  journal's own
  --account NAME  only what this account commanded or was touched by, as the maker of a trade for example
  --symbol NAME   only what concerns this symbol
  --events        also what each command caused, on lines of their own
  --json          one JSON object a line, with what was caused in the field events if --events is given
  --help          show this help

Exit code: 0 done, 1 the journal is damaged (up to there it is shown), 2 not understood or could not be read.`

/** All kinds, so that a mistyped one is reported; the compiler keeps them complete. */
const KINDS: Readonly<Record<CommandKind, true>> = {
  ListAsset: true,
  SetAssetFlags: true,
  ListSymbol: true,
  SetSymbolState: true,
  SetSymbolRates: true,
  CreateAccount: true,
  CreateApiKey: true,
  SetApiKeyEnabled: true,
  Credit: true,
  Debit: true,
  MoveBetweenBuckets: true,
  PlaceOrder: true,
  CancelOrder: true,
  CancelClientOrder: true,
  MarkTime: true,
  TriggerOrder: true,
  AmendOrder: true,
  ExpireOrder: true,
  ReplaceOrder: true,
  CancelAllOrders: true,
  ContinueCancelAll: true,
  SetCountdown: true,
  FireCountdown: true,
  PlaceList: true,
  CancelList: true,
  CancelClientList: true,
  PlacePending: true,
  OpenSession: true,
  DisconnectSession: true,
  DisconnectSessions: true,
  EndSession: true,
  SetRulesVersion: true,
  SetAccountRestrictions: true,
  CloseAccount: true,
  SetAccountTerms: true,
  CancelOrders: true,
  SetAssetTerms: true,
  SetSymbolTerms: true,
  SetSymbolIncrements: true,
  SetPhase: true,
  PlanPhases: true,
  EnterPhase: true,
  AskWithdrawal: true,
  RetractWithdrawal: true,
  SetOwnAddress: true,
  SetAccountAddress: true,
  SetWithdrawalTerms: true,
  HandleWithdrawal: true,
  CancelAnyOrder: true,
  SetAccountProfile: true,
  SetSpecialTerms: true,
  SetFeeTier: true,
  HoldWithdrawal: true,
  CompleteWithdrawal: true,
  CancelWithdrawal: true,
  MoveSavings: true,
  PayOutCommission: true,
  SetApiKeyTerms: true,
  RotateApiKey: true,
  RevokeApiKey: true,
  AddAdminToken: true,
  RevokeAdminToken: true,
  Approve: true,
  Reject: true,
  SetRole: true,
  AddToken: true,
  SetTokenTerms: true,
  SetRoleLimit: true,
  SetApprovalsNeeded: true,
  BanAddress: true,
  LiftBan: true,
  ResealSecret: true,
  SetApiKeyStrict: true,
  AcceptClock: true,
  NoteChange: true,
}

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
    const kinds = [...Object.keys(KINDS), ...OWN_KINDS]
    if (!kinds.includes(kind)) {
      throw new UsageError(`there is no kind ${kind}${meant(kind, kinds)}; there are ${kinds.join(', ')}`)
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

/** A name that nobody has had up to the last command is mistyped: that nothing was shown is no answer then. */
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
  if (command?.kind === 'CreateAccount') return command.name === name
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
  const own = ownWords(batch)
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
