/**
 * The page's session with its node, and the only way in which the page sends requests. It stores no token: a
 * typed token is sent and discarded. If an answer to any part of the page says that the session has ended, it
 * ends here too.
 */
import { type Signal, signal } from '@preact/signals'
import { inDoubt } from '../../../cli/admin/in-doubt.ts'
import {
  ADMIN_PATH,
  type AdminError,
  type AdminOperation,
  type AdminRequests,
  type AdminResults,
  OPERATION_ROWS,
} from '../../../contract/admin/admin.ts'
import {
  type AdminSession,
  type AdminSessionAnswer,
  BACKGROUND_HEADER,
  CONFIRM_HEADER,
  CSRF_HEADER,
  SESSION_IDLE_MS,
  SESSION_PATH,
  SHOWN_HEADER,
} from '../../../contract/admin/session.ts'

/** `undefined`: not known yet. `null`: there is no session; the reason is given if known. */
export type SessionState = AdminSession | null | undefined

export type Send = (url: string, init: RequestInit) => Promise<Response>

/** The reason why the node refused, or did not answer. */
export type Refused = Pick<AdminError, 'message' | 'field'> & { readonly reason: string }

export type Answer<Result> =
  | { readonly ok: true; readonly result: Result }
  | { readonly ok: false; readonly error: Refused }

export type AskOptions = {
  /** The page sends it without an action of the operator. */
  readonly isBackground?: boolean
  /** The operator's token, typed again. */
  readonly confirmation?: string | undefined
  /** Digest of the displayed approval. */
  readonly shown?: string | undefined
}

/**
 * The page's contact with its node. `SILENT`: the node does not answer. `AWAY`: the node answers, but not
 * with data of the exchange, because another engine leads or the node is starting or stopping. In both cases
 * the displayed data is outdated.
 */
export type Contact =
  | { readonly kind: 'ANSWERS' }
  | { readonly kind: 'SILENT' }
  | { readonly kind: 'AWAY'; readonly message: string }

/**
 * A blocked node accepts requests and does not answer: requests that the page sends by itself are given up
 * after this time.
 */
const LOOK_MS_MAX = 6_000
/** The same limit as on the command line. */
const ANSWER_MS_MAX = 30_000

const AWAY_REASONS: readonly string[] = ['NO_LEADER', 'STARTING', 'STOPPING']

const UNANSWERED: Refused = { reason: 'NO_ANSWER', message: 'the node does not answer' }

const ENDED = 'The session has ended.'
const ENDED_WHILE_AWAY = 'The node was restarted or another engine took over: log in again.'

const LOGGED_OUT = 'You have logged out.'
const LOGGED_OUT_UNCONFIRMED =
  'The node has not confirmed that you logged out: your session may stay open for up to 15 minutes.'

const NOT_KEPT: Refused = {
  reason: 'COOKIE_NOT_KEPT',
  message: 'this browser did not store the session cookie: open the page over TLS, or allow its cookie',
}

/** Times on the page's own monotonic clock, in milliseconds. */
export type SessionEnds = {
  readonly endAt: number
  /** The time at which the session ends if it is not used. */
  readonly unusedEndAt: number
}

export class PageSession {
  readonly state: Signal<SessionState> = signal(undefined)
  /** For the current or last session, as known to this page: another page of the browser may have used it. */
  readonly ends: Signal<SessionEnds> = signal({ endAt: 0, unusedEndAt: 0 })
  /**
   * The operator whose views are kept, hidden while there is no session, so that typed text is still there
   * when the same person logs in again. '' for none.
   */
  readonly owner: Signal<string> = signal('')
  /** The reason why the session has ended. */
  readonly farewell: Signal<string> = signal('')
  /** As of the last answer, or of the last request that was not answered. */
  readonly contact: Signal<Contact> = signal({ kind: 'ANSWERS' })
  /** The time at which a serving node last answered, by the page's monotonic clock. */
  heardAtMs = 0
  readonly #send: Send
  /** Monotonic milliseconds. */
  readonly nowMs: () => number
  readonly #untilReleased: () => Promise<void>
  #isLoggingOut = false

  /**
   * `untilReleased`: resolves when no pointer is pressed. Answers wait for it, since they move buttons, and a
   * button that moves away between press and release is not clicked.
   */
  constructor(send: Send, nowMs: () => number, untilReleased: () => Promise<void> = () => Promise.resolve()) {
    this.#send = send
    this.nowMs = nowMs
    this.#untilReleased = untilReleased
  }

  /** Resumes the session in the browser's cookie, if there is one. */
  async resume(): Promise<void> {
    const answer = await this.#sessionRequest('GET')
    if (answer.ok && answer.result === null && this.state.value) this.#leave(ENDED)
    else if (answer.ok) this.#take(answer.result)
    // A failed query does not end an open session. If no engine leads, the page itself says so.
    else if (this.state.value === undefined) this.#leave(isAway(answer.error) ? '' : answer.error.message)
  }

  /** Undefined if the session is open. */
  async begin(token: string): Promise<Refused | undefined> {
    const answer = await this.#sessionRequest('POST', { token })
    if (!answer.ok) return answer.error
    const kept = await this.#sessionRequest('GET')
    if (!kept.ok) return kept.error
    if (kept.result === null) return NOT_KEPT
    this.farewell.value = ''
    this.#take(kept.result)
    return undefined
  }

  /** Notes that the operator is active. */
  async use(): Promise<void> {
    const answer = await this.#sessionRequest('PUT')
    if (answer.ok) this.#take(answer.result)
    else if (answer.error.reason !== 'NO_ANSWER') this.#leave(answer.error.message)
  }

  async end(): Promise<void> {
    this.#isLoggingOut = true
    const answer = await this.#sessionRequest('DELETE')
    this.#isLoggingOut = false
    const hasEnded = answer.ok || hasEndedBy(answer.error)
    this.forget(hasEnded ? LOGGED_OUT : LOGGED_OUT_UNCONFIRMED)
  }

  /** Discards all typed text. */
  forget(farewell = ''): void {
    this.#leave(farewell)
    this.owner.value = ''
  }

  /** Sends a request to the node; never rejects. */
  async ask<Operation extends AdminOperation>(
    operation: Operation,
    request: AdminRequests[Operation],
    { isBackground = false, confirmation, shown }: AskOptions = {},
  ): Promise<Answer<AdminResults[Operation]>> {
    const headers = {
      'content-type': 'application/json',
      [CSRF_HEADER]: this.state.value?.csrf ?? '',
      ...(isBackground ? { [BACKGROUND_HEADER]: '1' } : {}),
      ...(confirmation === undefined ? {} : { [CONFIRM_HEADER]: confirmation }),
      ...(shown === undefined ? {} : { [SHOWN_HEADER]: shown }),
    }
    // A report arrives at the speed at which it is produced.
    const isStreamed = OPERATION_ROWS[operation].isStreamed
    const timeoutMs = isStreamed ? undefined : isBackground ? LOOK_MS_MAX : ANSWER_MS_MAX
    const init = { method: 'POST', headers, body: JSON.stringify(request) }
    const wasThere = this.contact.value.kind === 'ANSWERS'
    const answer = withDoubt(
      operation,
      await this.#answerOf<AdminResults[Operation]>(ADMIN_PATH + operation, init, timeoutMs),
    )
    if (!answer.ok && hasEndedBy(answer.error)) {
      this.#leave(
        wasThere || answer.error.reason === 'INVALID_TOKEN' ? answer.error.message : ENDED_WHILE_AWAY,
      )
    } else if (!isBackground && (answer.ok || answer.error.reason !== 'NO_ANSWER')) this.#noteUse()
    // The operator's role may have changed since the page was opened.
    if (!answer.ok && answer.error.reason === 'ROLE_NOT_ALLOWED') await this.resume()
    return answer
  }

  #take(session: AdminSession | null): void {
    if (session !== null) {
      const { endsInMs, unusedEndsInMs, name } = session
      const now = this.nowMs()
      this.ends.value = { endAt: now + endsInMs, unusedEndAt: now + unusedEndsInMs }
      this.owner.value = name
    }
    this.state.value = session
  }

  #noteUse(): void {
    const { endAt } = this.ends.value
    this.ends.value = { endAt, unusedEndAt: Math.min(endAt, this.nowMs() + SESSION_IDLE_MS) }
  }

  /**
   * Does nothing while the operator is logging out: pending requests are then refused too, since the session
   * has ended.
   */
  #leave(farewell: string): void {
    if (this.state.value === null || this.#isLoggingOut) return
    this.farewell.value = farewell
    this.state.value = null
  }

  #sessionRequest(method: string, body?: object): Promise<AdminSessionAnswer | Answer<never>> {
    const csrf = this.state.value?.csrf
    const headers = {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(csrf === undefined ? {} : { [CSRF_HEADER]: csrf }),
    }
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
    return this.#answerOf(SESSION_PATH, init, ANSWER_MS_MAX)
  }

  async #answerOf<Result>(
    url: string,
    init: RequestInit,
    timeoutMs: number | undefined,
  ): Promise<Answer<Result>> {
    const answer = await this.#fetched<Result>(url, init, timeoutMs)
    const heardAtMs = this.nowMs()
    await this.#untilReleased()
    if (answer === undefined) {
      if (this.contact.value.kind !== 'SILENT') this.contact.value = { kind: 'SILENT' }
      return { ok: false, error: UNANSWERED }
    }
    this.#hear(answer, heardAtMs)
    return answer
  }

  /** Undefined if there is no answer. */
  async #fetched<Result>(
    url: string,
    init: RequestInit,
    timeoutMs: number | undefined,
  ): Promise<Answer<Result> | undefined> {
    const signal = timeoutMs === undefined ? null : AbortSignal.timeout(timeoutMs)
    try {
      const response = await this.#send(url, {
        ...init,
        signal,
        credentials: 'same-origin',
        cache: 'no-store',
      })
      const type = response.headers.get('content-type') ?? ''
      if (type.startsWith('application/json')) return (await response.json()) as Answer<Result>
      // A report: its text is the result, for any result type of the operation.
      return { ok: true, result: (await response.text()) as Result }
    } catch {
      return undefined
    }
  }

  #hear(answer: Answer<unknown>, heardAtMs: number): void {
    const now = this.contact.value
    if (!answer.ok && isAway(answer.error)) {
      const { message } = answer.error
      if (now.kind !== 'AWAY' || now.message !== message) this.contact.value = { kind: 'AWAY', message }
      return
    }
    this.heardAtMs = heardAtMs
    if (now.kind !== 'ANSWERS') this.contact.value = { kind: 'ANSWERS' }
  }
}

/** Whether the node cannot answer now. The session may still exist, and the displayed data stays. */
export function isAway({ reason }: Refused): boolean {
  return AWAY_REASONS.includes(reason)
}

/** Whether the node no longer has this session. */
function hasEndedBy({ reason }: Refused): boolean {
  return reason === 'SESSION_ENDED' || reason === 'INVALID_TOKEN'
}

/** If it is unknown whether something was done, the answer explains how to find out. */
function withDoubt<Result>(operation: AdminOperation, answer: Answer<Result>): Answer<Result> {
  if (answer.ok) return answer
  const { reason, message } = answer.error
  if (reason !== 'NO_ANSWER' && reason !== 'OUTCOME_UNKNOWN') return answer
  return { ok: false, error: { ...answer.error, message: `${message}; ${inDoubt(operation)}` } }
}

/** The digest of a text in lower-case hexadecimal digits. */
export async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
