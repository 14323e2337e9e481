/**
 * The answers to the commands that the gateway handed to the engine, compared with the journal: an answered
 * command stays in the journal, a command that was not accepted leaves no trace in it, and for an unknown
 * outcome exactly one of the two is true.
 */
import type { Command, CommandKind } from '../../src/core/commands/command.ts'
import { isBuyByQuantity, type PlaceOrder } from '../../src/core/commands/orders.ts'
import type { Reply } from '../../src/core/questions/reply.ts'
import type { EngineFaultKind } from '../../src/engine/port/fault.ts'
import { NEWEST_RULES } from '../../test/oracle/administered.ts'
import { type AppliedCommands, keyOf } from './applied-commands.ts'
import { demand } from './shadow-state.ts'

type Attempt = {
  readonly number: number
  readonly command: Command
  readonly key: string
  /** Undefined until the engine answers, and forever if the engine ends first. */
  outcome: { readonly reply: Reply } | { readonly fault: EngineFaultKind } | undefined
}

export class Promises {
  readonly #applied: AppliedCommands
  readonly #attemptsByKey = new Map<string, Attempt[]>()
  #count = 0

  constructor(applied: AppliedCommands) {
    this.#applied = applied
  }

  /** Records that a command is submitted to the engine. */
  attempt(command: Command): Attempt {
    const attempt: Attempt = { number: ++this.#count, command, key: keyOf(command), outcome: undefined }
    const same = this.#attemptsByKey.get(attempt.key)
    if (same === undefined) this.#attemptsByKey.set(attempt.key, [attempt])
    else same.push(attempt)
    return attempt
  }

  /** Must be called while nothing is in progress: compares every attempt with the journal. */
  check(): void {
    for (const [key, attempts] of this.#attemptsByKey) this.#checkCommand(key, attempts)
  }

  /**
   * Called when an operator accepted the loss of everything after `seq`: answers to lost commands no longer
   * count.
   */
  forget(seq: number): void {
    for (const [key, attempts] of this.#attemptsByKey) {
      const seqs = this.#applied.seqsOf(key)
      if (seqs.length === 0 || (seqs.at(-1) as number) <= seq) continue
      // It is unknown which of several equal attempts was lost, so all of them become unknown.
      for (const attempt of attempts) attempt.outcome = undefined
    }
  }

  #checkCommand(key: string, attempts: readonly Attempt[]): void {
    const seqs = this.#applied.seqsOf(key)
    let done = 0
    let unknown = 0
    for (const { number, command, outcome } of attempts) {
      if (outcome === undefined) unknown++
      else if ('fault' in outcome) {
        if (outcome.fault === 'OUTCOME_UNKNOWN') unknown++
      } else if (!isTurnedAway(command, outcome.reply)) {
        done++
        demand(
          seqs.some((seq) => isSameReply(this.#applied.entry(seq)?.reply, outcome.reply)),
          () =>
            `attempt ${number}, ${command.kind}, was answered ${outcome.reply.kind}; the journal does not have it`,
        )
      }
    }
    const what = attempts[0]?.command.kind
    demand(seqs.length >= done, () => `${what}: ${done} answers, ${seqs.length} times in the journal`)
    demand(
      seqs.length <= done + unknown,
      () => `${what}: ${done} answers and ${unknown} unknown outcomes, ${seqs.length} times in the journal`,
    )
  }
}

/**
 * Whether the answer came without a journal entry: for a time that was marked recently, for rules that this
 * version does not have, or for a command that needs newer rules than those in force.
 */
function isTurnedAway(command: Command, reply: Reply): boolean {
  if (command.kind === 'MarkTime' && reply.kind === 'Done') return reply.repeated
  if (reply.kind !== 'Refused') return false
  if (reply.reason === 'RULES_VERSION_TOO_LOW') return needsNewerRules(command)
  return command.kind === 'SetRulesVersion' && command.version > NEWEST_RULES
}

/** Whether a command may need newer rules than those under which a simulated journal begins. */
function needsNewerRules(command: Command): boolean {
  switch (command.kind) {
    case 'PlaceOrder':
      return isNewerOrder(command)
    case 'ReplaceOrder':
      return isNewerOrder(command.order)
    case 'PlaceList':
      return [command.keyNumber, ...command.legs.map((leg) => leg.trailingDelta)].some(
        (one) => one !== undefined,
      )
    case 'CreateApiKey':
    case 'SetApiKeyTerms':
      return command.permissions.includes('READ')
    case 'ListSymbol':
      return command.binanceName !== undefined
    case 'SetRole':
      return command.rights.some((right) => right.startsWith('customers.'))
    default:
      return NEWER_KINDS.includes(command.kind)
  }
}

const NEWER_KINDS: readonly CommandKind[] = [
  'AddApiKey',
  'ChangeRestrictions',
  'OpenCustomer',
  'RaiseCustomerEpoch',
  'ForgetCustomer',
]

function isNewerOrder(order: PlaceOrder): boolean {
  return isBuyByQuantity(order) || (order.keyNumber ?? order.trailingDelta) !== undefined
}

function isSameReply(a: Reply | undefined, b: Reply): boolean {
  if (a === undefined || a.kind !== b.kind) return false
  const words = (reply: Reply): string =>
    Object.entries(reply)
      .map(([name, value]) => `${name} ${value}`)
      .sort()
      .join()
  return words(a) === words(b)
}
