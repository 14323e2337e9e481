/**
 * Finds the caller of the admin server: by a token in the request, or by a session of the operator's page.
 */
import type { AdminOperation } from '../../contract/admin/admin.ts'
import type { Logger } from '../common/logger.ts'
import { failure, refusal } from './answers.ts'
import type { CallerFinder } from './callers.ts'
import { type AdminContext, AdminRequestError, type Caller } from './context.ts'
import type { OperatorPage } from './page-sessions/operator-page.ts'
import { missingRight } from './roles/roles.ts'
import type { WrongTokens } from './roles/wrong-tokens.ts'

export type CallerSources = {
  readonly context: Pick<AdminContext, 'tokenUse' | 'now'>
  readonly callerOf: CallerFinder
  readonly wrongTokens: WrongTokens
  /** Undefined if this server has no page. */
  readonly page: OperatorPage | undefined
  readonly log: Logger
}

export type AdmittedCaller = {
  readonly caller: Caller
  /** While a caller waits, its token may be revoked or expire, and its role may change. */
  readonly mayStill: (operation: AdminOperation) => boolean
  readonly isSession: boolean
}

/**
 * The caller from address `from`, or the answer that refuses the request. A token in the request takes
 * precedence over a cookie.
 */
export function findCaller(
  request: Request,
  from: string,
  sources: CallerSources,
): AdmittedCaller | Response {
  const authorization = request.headers.get('authorization')
  if (authorization !== null || sources.page === undefined) {
    return callerByToken(authorization ?? '', from, sources)
  }
  try {
    const session = sources.page.callerOf(request, from)
    if (session === undefined) return callerByToken('', from, sources)
    return { caller: session.caller, mayStill: mayStill(session.callerNow), isSession: true }
  } catch (error) {
    if (error instanceof AdminRequestError) return failure(error.error)
    throw error
  }
}

function callerByToken(
  authorization: string,
  from: string,
  { context, callerOf, wrongTokens, log }: CallerSources,
): AdmittedCaller | Response {
  const found = callerOf(authorization, from)
  if (found === undefined) {
    if (wrongTokens.isOneTooMany(Date.now())) return refusal('TOO_MANY_WRONG_TOKENS')
    log.warn({}, 'a request to the admin server had an unknown token')
    return refusal('INVALID_TOKEN')
  }
  if (found.caller === undefined) {
    log.warn({ who: found.who, from }, found.refusal.message)
    return failure(found.refusal)
  }
  const { caller } = found
  if (caller.token !== undefined) context.tokenUse.note(caller.token, { at: context.now(), from })
  const callerNow = () => callerOf(authorization, from)?.caller
  return { caller, mayStill: mayStill(callerNow), isSession: false }
}

function mayStill(callerNow: () => Caller | undefined): AdmittedCaller['mayStill'] {
  return (operation) => {
    const now = callerNow()
    return now !== undefined && missingRight(now.rights, operation) === undefined
  }
}
