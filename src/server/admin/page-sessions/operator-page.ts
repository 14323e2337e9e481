/**
 * The operator's page on the admin server (docs/reference/operators-page.md): its files, its sessions, and
 * the identity of a session's caller. The permissions of a session are checked where those of tokens are
 * checked; this module only decides whether the request is the page's own.
 */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { ADMIN_OPERATIONS, type AdminError, type AdminOperation } from '../../../contract/admin/admin.ts'
import {
  type AdminSession,
  type AdminSessionAnswer,
  BACKGROUND_HEADER,
  CONFIRM_HEADER,
  CSRF_HEADER,
  SESSION_MS_MAX,
  SESSION_PATH,
  SHOWN_HEADER,
  shownApprovalText,
} from '../../../contract/admin/session.ts'
import { isoTime } from '../../../contract/time.ts'
import type { TimeMs } from '../../../units/quantities.ts'
import type { BackOfficeView } from '../../../views/back-office.ts'
import type { Logger } from '../../common/logger.ts'
import { listApprovals } from '../accounts/money.ts'
import { ANSWER_HEADERS, failure, refusal } from '../answers.ts'
import { readBody } from '../body.ts'
import { type CallerFinder, holderOfName } from '../callers.ts'
import { type AdminContext, AdminRequestError, type Caller, invalid, mayRead } from '../context.ts'
import { missingRight } from '../roles/roles.ts'
import type { TokenUse } from '../roles/token-use.ts'
import type { WrongTokens } from '../roles/wrong-tokens.ts'
import { takesTokenAgain } from './confirmation.ts'
import { cookieName, cookieValue, foreignText } from './origin.ts'
import { isOwnWord, type OperatorSession, OperatorSessions } from './sessions.ts'

/** Answers for the page's own files; undefined for other requests. */
export type PageFiles = (request: Request, path: string) => Promise<Response> | undefined

export type OperatorPageOptions = {
  readonly backOffice: BackOfficeView
  readonly now: () => TimeMs
  readonly tokenUse: TokenUse
  readonly callerOf: CallerFinder
  readonly wrongTokens: WrongTokens
  /** Whether the server has a certificate. */
  readonly isTls: boolean
  readonly files: PageFiles
  readonly log: Logger
}

/** A caller with a session. */
export type SessionCaller = {
  readonly caller: Caller
  /** The current caller; undefined if its token has ended. */
  readonly callerNow: () => Caller | undefined
}

const CONFIRMED_OPERATIONS = ADMIN_OPERATIONS.filter(takesTokenAgain)

const LOGIN = z.strictObject({ token: z.string() })

export class OperatorPage {
  readonly #options: OperatorPageOptions
  readonly #sessions: OperatorSessions

  constructor(options: OperatorPageOptions) {
    this.#options = options
    this.#sessions = new OperatorSessions(options.now)
  }

  /**
   * The answer with a file of the page, or to a request about a session itself; undefined if the request is
   * neither.
   */
  answer(request: Request, path: string, from: string): Promise<Response> | undefined {
    if (path !== SESSION_PATH) return this.#options.files(request, path)
    return this.#session(request, from).catch((error: unknown) => {
      if (error instanceof AdminRequestError) return failure(error.error)
      throw error
    })
  }

  /** The caller; undefined if no cookie was sent. Throws `AdminRequestError`. */
  callerOf(request: Request, from: string): SessionCaller | undefined {
    const secret = this.#secretOf(request)
    if (secret === undefined) return undefined
    this.#requireOwnOrigin(request)
    const session = this.#sessions.find(secret, request.headers.get(BACKGROUND_HEADER) === '1')
    const found = session && this.#holder(session, from)
    if (session === undefined || found === undefined) {
      this.#sessions.end(secret)
      throw new AdminRequestError('SESSION_ENDED')
    }
    if (found.caller === undefined) {
      this.#sessions.end(secret)
      throw new AdminRequestError(found.refusal.reason, found.refusal)
    }
    if (!isOwnWord(session, request.headers.get(CSRF_HEADER))) throw new AdminRequestError('CSRF_TOKEN_WRONG')
    this.#note(session.token, from)
    return { caller: found.caller, callerNow: () => this.#holder(session, from)?.caller }
  }

  /**
   * Checks that an operation needs beyond a session: the token again, and that the approved request is the
   * one that was shown. Throws `AdminRequestError`.
   */
  async requireMeant(
    request: Request,
    from: string,
    context: AdminContext,
    operation: AdminOperation,
    asked: object,
  ): Promise<void> {
    if (takesTokenAgain(operation)) this.#requireToken(request, from, context.caller)
    if (operation !== 'approval/approve' && operation !== 'approval/reject') return
    const shown = request.headers.get(SHOWN_HEADER)
    if (shown === null || !/^[0-9a-f]{64}$/.test(shown))
      throw invalid(SHOWN_HEADER, 'expected the SHA-256 of the approval that was shown')
    const { reference } = asked as { readonly reference: string }
    const waiting = (await listApprovals(context, {})).find((one) => one.reference === reference)
    // A request that is no longer pending is refused with the exchange's own reason.
    if (waiting === undefined) return
    const text = shownApprovalText(waiting)
    if (createHash('sha256').update(text).digest('hex') === shown) return
    const { kind, amount, asset, account, requestedBy, requestedAt } = waiting
    const now = `: it is now ${kind} of ${amount} ${asset}, account ${account}, requested by ${requestedBy} at ${requestedAt}`
    const seen = mayRead(context, 'read.money') ? now : ''
    const message = `the request ${reference} has changed since it was shown${seen}. Check it again`
    throw new AdminRequestError('APPROVAL_CHANGED', { message })
  }

  async #session(request: Request, from: string): Promise<Response> {
    switch (request.method) {
      case 'GET':
        return this.#show(request, from)
      case 'POST':
        return this.#begin(request, from)
      case 'PUT':
        return this.#use(request, from)
      case 'DELETE':
        return this.#end(request, from)
      default:
        return refusal(
          'METHOD_NOT_ALLOWED',
          'expected POST to begin a session, GET to read, PUT to use or DELETE to end it',
        )
    }
  }

  #show(request: Request, from: string): Response {
    this.#requireOwnOrigin(request)
    const secret = this.#secretOf(request)
    const session = secret === undefined ? undefined : this.#sessions.find(secret, true)
    const caller = session && this.#holder(session, from)?.caller
    if (session === undefined || caller === undefined) return answered(null)
    return answered(this.#described(session, caller))
  }

  /** Notes that the user is active without any other request. */
  #use(request: Request, from: string): Response {
    if (this.callerOf(request, from) === undefined) throw new AdminRequestError('SESSION_ENDED')
    return this.#show(request, from)
  }

  async #begin(request: Request, from: string): Promise<Response> {
    const { callerOf, log, wrongTokens } = this.#options
    this.#requireOwnOrigin(request)
    const body = LOGIN.safeParse(await readBody(request))
    if (!body.success) throw invalid('token', 'expected the text of a named token, and no other field')
    const found = callerOf(`Bearer ${body.data.token}`, from)
    if (found === undefined) throw wrongToken(wrongTokens, log, 'the operator’s page was opened')
    if (found.caller === undefined) {
      log.warn({ who: found.who, from }, found.refusal.message)
      throw new AdminRequestError(found.refusal.reason, found.refusal)
    }
    const { token } = found.caller
    if (token === undefined) {
      const message =
        'the page needs a named token, so that the audit trail shows who did what. Create one: bourse admin token add'
      throw new AdminRequestError('NAMED_TOKEN_NEEDED', { message })
    }
    const begun = this.#sessions.begin(token)
    if (begun === undefined) throw new AdminRequestError('TOO_MANY_PAGE_SESSIONS')
    const before = this.#secretOf(request)
    if (before !== undefined) this.#sessions.end(before)
    this.#note(token, from)
    log.info({ who: token, from }, 'an operator logged in to the page')
    return answered(
      this.#described(begun.session, found.caller),
      this.#setCookie(request, begun.secret, SESSION_MS_MAX / 1_000),
    )
  }

  #end(request: Request, from: string): Response {
    const secret = this.#secretOf(request)
    const found = this.callerOf(request, from)
    if (secret !== undefined) this.#sessions.end(secret)
    if (found !== undefined)
      this.#options.log.info({ who: found.caller.token, from }, 'an operator logged out of the page')
    return answered(null, this.#setCookie(request, '', 0))
  }

  get #scheme(): 'http' | 'https' {
    return this.#options.isTls ? 'https' : 'http'
  }

  #secretOf({ headers }: Request): string | undefined {
    return cookieValue(headers, cookieName(headers, this.#scheme))
  }

  #setCookie({ headers }: Request, value: string, seconds: number): string {
    const name = cookieName(headers, this.#scheme)
    return `${name}=${value}; Path=/; Max-Age=${seconds}; Secure; HttpOnly; SameSite=Strict`
  }

  #described(session: OperatorSession, { token = '', role, rights }: Caller): AdminSession {
    const { csrf, begunAt } = session
    const held = rights.filter((right) => right !== 'owner' && right !== 'customers')
    const endsAt = isoTime((begunAt + SESSION_MS_MAX) as TimeMs)
    const lacks = ADMIN_OPERATIONS.map((operation) => [operation, missingRight(rights, operation)] as const)
    const lacking = Object.fromEntries(lacks.filter(([, right]) => right !== undefined))
    const who = { name: token, role, rights: held, lacking, confirmed: CONFIRMED_OPERATIONS, csrf, endsAt }
    return { ...who, ...this.#sessions.left(session) }
  }

  #holder({ token }: OperatorSession, from: string) {
    const { backOffice, now } = this.#options
    return holderOfName(token, from, backOffice, now())
  }

  #requireOwnOrigin(request: Request): void {
    const changes = request.method !== 'GET' && request.method !== 'HEAD'
    const message = foreignText(request.headers, this.#scheme, changes)
    if (message === undefined) return
    this.#options.log.warn({ message }, 'a request to the operator’s page came from another page')
    throw new AdminRequestError('FOREIGN_REQUEST', { message })
  }

  #requireToken(request: Request, from: string, caller: Caller): void {
    const shown = request.headers.get(CONFIRM_HEADER)
    if (shown === null) throw new AdminRequestError('CONFIRMATION_NEEDED')
    const { callerOf, log, wrongTokens } = this.#options
    const found = callerOf(`Bearer ${shown}`, from)
    if (found?.caller !== undefined && found.caller.token === caller.token) return
    throw wrongToken(wrongTokens, log, `${caller.token} confirmed an operation`, 'CONFIRMATION_WRONG')
  }

  #note(token: string, from: string): void {
    const { tokenUse, now } = this.#options
    tokenUse.note(token, { at: now(), from })
  }
}

/** The refusal of a wrong token, which is counted and logged like wrong tokens elsewhere. */
function wrongToken(
  wrongTokens: WrongTokens,
  log: Logger,
  what: string,
  reason: Extract<AdminError['reason'], 'INVALID_TOKEN' | 'CONFIRMATION_WRONG'> = 'INVALID_TOKEN',
): AdminRequestError {
  if (wrongTokens.isOneTooMany(Date.now())) return new AdminRequestError('TOO_MANY_WRONG_TOKENS')
  log.warn({}, `${what} with an unknown token`)
  return new AdminRequestError(reason)
}

function answered(result: AdminSession | null, cookie?: string): Response {
  const body: AdminSessionAnswer = { ok: true, result }
  return Response.json(body, {
    headers: { ...ANSWER_HEADERS, ...(cookie === undefined ? {} : { 'set-cookie': cookie }) },
  })
}
