/**
 * Submits an operator's command to the engine and turns a refusal into the server's answer. The text of a
 * reason is the catalogue's; the operation has checked its fields before.
 */

import type { AuditFields } from '../../contract/admin/operations/row.ts'
import { reasonText } from '../../contract/error-body.ts'
import type { Localised } from '../../contract/language.ts'
import { isAdminReason } from '../../contract/reasons/catalogue.ts'
import type { Command } from '../../core/commands/command.ts'
import type { Operator } from '../../core/commands/operator.ts'
import type { Reply } from '../../core/questions/reply.ts'
import { binanceNameOf } from '../../core/registry/binance-name.ts'
import { invariant } from '../../units/invariant.ts'
import { TEXT_MAX } from '../../units/limits.ts'
import type { CoreReason } from '../../units/reasons.ts'
import { refusalDetail } from '../description/refusal-detail.ts'
import { type AdminContext, AdminRequestError, invalid } from './context.ts'
import { roleLimitDetail } from './limit-text.ts'

/** The actor of requests with the node's own token that state no actor. */
const DEFAULT_ACTOR = 'operator'
/** Maximum number of holders of a role that a refusal names. */
const HOLDERS_NAMED = 5
/** The answer after a bug; the log has the details. */
export const INTERNAL_ERROR = 'an internal error of the node; see its log'
/** No token name contains a colon, so a claimed name is never taken for a token's holder. */
export const LOCAL_MARK = 'local:'
type Accepted = Exclude<Reply, { kind: 'Refused' }>

/**
 * The operator recorded with a command: the name of the presented token; with the node's own token, the name
 * that the request states.
 */
export function operatorOf({ caller }: Pick<AdminContext, 'caller'>, request: AuditFields): Operator {
  const { actor, note = '' } = request
  if (caller.token === undefined) return { actor: localActor(actor || DEFAULT_ACTOR), note }
  if (actor !== undefined && actor !== caller.token) {
    throw invalid('actor', `a named token already names the actor (${caller.token}): omit actor`)
  }
  return { actor: caller.token, note }
}

/** The prefix and as much of the name as fits into the text. */
function localActor(name: string): string {
  return `${LOCAL_MARK}${name}`.slice(0, TEXT_MAX).toWellFormed()
}

/**
 * Resolves when the command is durable and carried out; rejects with an `AdminRequestError` if the exchange
 * refused it.
 */
export async function submit(context: AdminContext, command: Command): Promise<Accepted> {
  const reply = await context.engine.submit(command)
  if (reply.kind !== 'Refused') return reply
  const { reason } = reply
  invariant(isAdminReason(reason), `${reason} never refuses an operator's command, found for ${command.kind}`)
  const field = reason === 'BINANCE_NAME_TAKEN' ? { field: 'binanceName' } : {}
  throw new AdminRequestError(reason, { ...field, message: messageOf(reason, command, context) })
}

/**
 * The catalogue's text is for traders, whose money is in `free`; an operator moves money out of other buckets
 * too.
 */
function messageOf(reason: CoreReason, command: Command, context: AdminContext): string {
  const { registry, backOffice } = context
  const { approvalByReference } = backOffice
  if (reason === 'INSUFFICIENT_FUNDS') {
    if (command.kind === 'MoveSavings' && !command.isDeposit) return 'The savings balance is too low.'
    if (command.kind === 'MoveBetweenBuckets') return `The ${command.from} balance is too low.`
  }
  if (reason === 'INTERNAL_ERROR') return INTERNAL_ERROR
  if (reason === 'SYMBOL_DELISTED') return 'The symbol is permanently delisted and cannot be opened again.'
  if (reason === 'ROLE_IN_USE') return reasonText(reason, { detail: own(holdersOf(command, context)) })
  if (reason === 'ROLE_LIMIT') return reasonText(reason, { detail: own(roleLimitDetail(context, command)) })
  if (reason === 'BINANCE_NAME_TAKEN')
    return reasonText(reason, { detail: own(sharedName(command, context)) })
  const detail = refusalDetail(reason, command, { registry, approvalByReference })
  return reasonText(reason, { detail })
}

/** A text from the node itself, which is not cut off as a client's text is. */
function own(text: string): Localised {
  return { en: text, tr: text }
}

/** Both symbols, and the name that they would share. */
function sharedName(command: Command, { registry }: AdminContext): string {
  if (command.kind !== 'ListSymbol') return ''
  const { base, quote, binanceName = base + quote } = command
  const holder = registry.symbols().find((symbol) => binanceNameOf(symbol) === binanceName)
  return holder === undefined ? '' : `: ${holder.name} and ${base}/${quote} would both be ${binanceName}`
}

/** The names of the first tokens that use the role that is to be removed. */
function holdersOf(command: Command, { backOffice }: AdminContext): string {
  if (command.kind !== 'SetRole') return ''
  const holders = [...backOffice.tokenByName.values()].filter(
    ({ role, isRevoked }) => role === command.name && !isRevoked,
  )
  const names = holders.slice(0, HOLDERS_NAMED).map(({ name }) => name)
  return `: ${names.join(', ')}${holders.length > HOLDERS_NAMED ? ' and others' : ''}`
}
