/** The state of the panes of a customer's account, and the actions in them. */
import { type Signal, signal } from '@preact/signals'
import type { AccountData, AccountEndpoint } from '../../../../contract/customers/endpoints.ts'
import type { KeyHolder } from '../../key/key-holder.ts'
import { type AccountApi, AccountError } from '../account-api.ts'
import { isOfSession } from '../sign-out.ts'
import { paneTexts } from './pane-texts.ts'
import { problemOf } from './problem.ts'
import { assertWithPasskey, StepUpFlow, StepUpLeftError, type Ways } from './step-up-flow.ts'

export type Shown<Value> =
  | { readonly kind: 'LOADING' }
  | { readonly kind: 'FAILED'; readonly problem: string }
  /** The person must authenticate again. */
  | { readonly kind: 'LOCKED' }
  | { readonly kind: 'THERE'; readonly value: Value }

/** Endpoints of the account interface that return lists. */
export type Listing = 'me' | 'sessions' | 'history' | 'keys'

/** The way in which an action in the panes has ended the session. */
export type Ending = 'OVER' | 'FROZEN' | 'ERASED'

export type PanesOptions = {
  readonly api: Pick<AccountApi, 'get' | 'post'>
  readonly holder: Pick<KeyHolder, 'state' | 'forget'>
  /** Called when there is no longer a session. */
  readonly onOver: (ending: Ending) => void
  /** Whether emails are only shown to operators. */
  readonly isSandbox: () => boolean
  /** Uses a passkey; tests pass their own function. */
  readonly assert?: (options: string) => Promise<unknown>
}

export class PanesState {
  readonly me = signal<Shown<AccountData<'me'>>>({ kind: 'LOADING' })
  readonly sessions = signal<Shown<AccountData<'sessions'>>>({ kind: 'LOADING' })
  readonly history = signal<Shown<AccountData<'history'>>>({ kind: 'LOADING' })
  readonly keys = signal<Shown<AccountData<'keys'>>>({ kind: 'LOADING' })
  /** The last completed action, for people; '' if there is none. */
  readonly done = signal('')
  readonly problem = signal('')
  readonly isBusy = signal(false)
  readonly stepUp: StepUpFlow
  readonly #options: PanesOptions

  constructor(options: PanesOptions) {
    this.#options = options
    const { api, assert = assertWithPasskey } = options
    this.stepUp = new StepUpFlow({ api, assert })
  }

  /** Requests the data again; the displayed data stays until the answer arrives. */
  async load<Name extends Listing>(name: Name): Promise<void> {
    const shown = this[name] as Signal<Shown<AccountData<Name>>>
    if (shown.peek().kind === 'FAILED') shown.value = { kind: 'LOADING' }
    try {
      shown.value = { kind: 'THERE', value: (await this.get(name)) as AccountData<Name> }
    } catch (error) {
      if (this.#isOver(error)) return
      shown.value = isStepUpNeeded(error) ? { kind: 'LOCKED' } : { kind: 'FAILED', problem: problemOf(error) }
    }
  }

  get<Name extends AccountEndpoint>(name: Name): Promise<AccountData<Name>> {
    return this.#options.api.get(name) as Promise<AccountData<Name>>
  }

  /** The data of the answer. Rejects with `AccountError`. */
  async post<Name extends AccountEndpoint>(name: Name, body: object = {}): Promise<AccountData<Name>> {
    return (await this.#options.api.post(name, body)) as AccountData<Name>
  }

  /**
   * Sends the request after a step-up for it with these values. Rejects with `AccountError` and
   * `StepUpLeftError`.
   */
  async proved<Name extends AccountEndpoint>(name: Name, body: object = {}): Promise<AccountData<Name>> {
    const stepUp = await this.stepUp.prove(name, body, await this.#ways())
    return (await this.#options.api.post(name, body, stepUp)) as AccountData<Name>
  }

  /** Requests the step-up for requests that only read. */
  async proveReading(name: AccountEndpoint): Promise<void> {
    await this.stepUp.prove(name, {}, await this.#ways())
  }

  get isSandbox(): boolean {
    return this.#options.isSandbox()
  }

  /** A recovery, or a change of the email address, that operators have been asked for. */
  stopRecovery(): Promise<boolean> {
    return this.run(async () => {
      await this.post('recover/stop')
      await this.load('me')
      return paneTexts().data.stopped
    })
  }

  unlockHistory(): Promise<boolean> {
    return this.run(async () => {
      await this.proveReading('history')
      await this.load('history')
      return ''
    })
  }

  /** Ends another session. */
  endSession(id: string): Promise<boolean> {
    return this.run(async () => {
      await this.post('session/end', { id })
      await this.load('sessions')
      return paneTexts().sessions.ended
    })
  }

  endOtherSessions(): Promise<boolean> {
    return this.run(async () => {
      await this.post('session/end')
      await this.load('sessions')
      return paneTexts().sessions.endedOthers
    })
  }

  /** Ends this session, and with it the key that the page uses for trading. */
  signOut(): Promise<boolean> {
    return this.run(async () => {
      await this.post('logout')
      await this.over('OVER')
      return ''
    })
  }

  /** Called when the session has ended: the page no longer trades with its key. */
  async over(ending: Ending): Promise<void> {
    const { value } = this.#options.holder.state
    if (value.kind === 'held' && isOfSession(value.key)) await this.#options.holder.forget()
    this.#options.onOver(ending)
  }

  /** `work` returns a description of its result. False if it was refused, or if the person canceled it. */
  async run(work: () => Promise<string>): Promise<boolean> {
    if (this.isBusy.peek()) return false
    this.isBusy.value = true
    this.clear()
    try {
      this.done.value = await work()
      return true
    } catch (error) {
      const isSaid = error instanceof StepUpLeftError || this.#isOver(error)
      if (!isSaid) this.problem.value = problemOf(error)
      return false
    } finally {
      this.isBusy.value = false
    }
  }

  /** Hides the outcome of the last action. */
  clear(): void {
    this.problem.value = ''
    this.done.value = ''
  }

  async #ways(): Promise<Ways> {
    const shown = this.me.peek()
    const { passkeys, hasPassword } = shown.kind === 'THERE' ? shown.value : await this.get('me')
    return { hasPasskey: passkeys.length > 0, hasPassword }
  }

  #isOver(error: unknown): boolean {
    const isOver = error instanceof AccountError && error.reason === 'SESSION_NEEDED'
    if (isOver) this.#options.onOver('OVER')
    return isOver
  }
}

export function isStepUpNeeded(error: unknown): boolean {
  return error instanceof AccountError && error.reason === 'STEP_UP_NEEDED'
}
