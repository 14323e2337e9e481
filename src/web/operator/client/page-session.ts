/**
 * The page's session with its node, and its only way to ask it anything. It keeps no token: the one that is typed is sent and forgotten. What ends the session
 * ends it here too, whoever asked.
 */
import { type Signal, signal } from '@preact/signals'
import {
  ADMIN_PATH,
  type AdminError,
  type AdminOperation,
  type AdminRequests,
  type AdminResults,
} from '../../../wire/admin.ts'
import {
  type AdminSession,
  type AdminSessionAnswer,
  BACKGROUND_HEADER,
  CONFIRM_HEADER,
  CSRF_HEADER,
  SESSION_IDLE_MS,
  SESSION_PATH,
  SHOWN_HEADER,
} from '../../../wire/admin-session.ts'

/** `undefined`: it is not known yet. `null`: there is none, for this reason where one is known. */
export type SessionState = AdminSession | null | undefined

export type Send = (url: string, init: RequestInit) => Promise<Response>

/** Why the node did not do it, or did not answer. */
export type Refused = Pick<AdminError, 'message' | 'field'> & { readonly reason: string }

export type Answer<Result> =
  | { readonly ok: true; readonly result: Result }
  | { readonly ok: false; readonly error: Refused }

export type AskOptions = {
  /** The page asks by itself. */
  readonly isBackground?: boolean
  /** The token once more. */
  readonly confirmation?: string | undefined
  /** Digest of the approval that was shown. */
  readonly shown?: string | undefined
}

const UNANSWERED: Refused = {
  reason: 'NO_ANSWER',
  message: 'the node does not answer. Whether something was done is not known: look before you do it again',
}

const ENDED = 'The session has ended.'

const NOT_KEPT: Refused = {
  reason: 'COOKIE_NOT_KEPT',
  message: 'this browser keeps no session of this address: open the page over TLS, or allow its cookie',
}

/** Moments of the page's own monotonic clock, in milliseconds. */
export type SessionEnds = {
  readonly endAt: number
  /** Where nobody uses it. */
  readonly unusedEndAt: number
}

export class PageSession {
  readonly state: Signal<SessionState> = signal(undefined)
  /** Of the session that there is, or was last, as far as this page knows: another one of the browser may have used it. */
  readonly ends: Signal<SessionEnds> = signal({ endAt: 0, unusedEndAt: 0 })
  /** Whose views are kept, hidden while there is no session: what was typed is there again when the same person comes back. '': nobody's. */
  readonly owner: Signal<string> = signal('')
  /** Why there is no session any more. */
  readonly farewell: Signal<string> = signal('')
  /** Whether the node answered when it was asked last. */
  readonly isAnswering: Signal<boolean> = signal(true)
  readonly #send: Send
  /** Milliseconds, monotonic. */
  readonly nowMs: () => number

  constructor(send: Send, nowMs: () => number) {
    this.#send = send
    this.nowMs = nowMs
  }

  /** Goes on with the session that the browser's cookie has, if there is one. */
  async resume(): Promise<void> {
    const answer = await this.#sessionRequest('GET')
    if (answer.ok && answer.result === null && this.state.value) this.#leave(ENDED)
    else if (answer.ok) this.#take(answer.result)
    // That the node does not answer ends nothing that is open.
    else if (this.state.value === undefined) this.#leave(answer.error.message)
  }

  /** Undefined: it is open. */
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

  /** Somebody is there. */
  async use(): Promise<void> {
    const answer = await this.#sessionRequest('PUT')
    if (answer.ok) this.#take(answer.result)
    else if (answer.error.reason !== 'NO_ANSWER') this.#leave(answer.error.message)
  }

  async end(): Promise<void> {
    await this.#sessionRequest('DELETE')
    this.forget('You have left the page.')
  }

  /** Nothing of what was typed is kept. */
  forget(farewell = ''): void {
    this.#leave(farewell)
    this.owner.value = ''
  }

  /** Asks the node; never rejects. */
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
    const init = { method: 'POST', headers, body: JSON.stringify(request) }
    const answer = await this.#answerOf<AdminResults[Operation]>(ADMIN_PATH + operation, init)
    if (!answer.ok && (answer.error.reason === 'SESSION_ENDED' || answer.error.reason === 'INVALID_TOKEN')) {
      this.#leave(answer.error.message)
    } else if (!isBackground && (answer.ok || answer.error.reason !== 'NO_ANSWER')) this.#noteUse()
    // Its role is not what it was when the page was opened.
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

  #leave(farewell: string): void {
    if (this.state.value === null) return
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
    return this.#answerOf(SESSION_PATH, init)
  }

  async #answerOf<Result>(url: string, init: RequestInit): Promise<Answer<Result>> {
    try {
      const response = await this.#send(url, { ...init, credentials: 'same-origin', cache: 'no-store' })
      this.isAnswering.value = true
      const type = response.headers.get('content-type') ?? ''
      if (type.startsWith('application/json')) return (await response.json()) as Answer<Result>
      // A report: its text is the result, whatever its operation's type says.
      return { ok: true, result: (await response.text()) as Result }
    } catch {
      this.isAnswering.value = false
      return { ok: false, error: UNANSWERED }
    }
  }
}

/** Text as a digest in small hexadecimal digits. */
export async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
