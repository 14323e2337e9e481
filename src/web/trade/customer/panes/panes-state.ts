/** The state of the panes of a customer's account, and the actions in them. */
import { type Signal, signal } from '@preact/signals'
import type { AccountData } from '../../../../contract/customers/endpoints.ts'
import type { KeyHolder } from '../../key/key-holder.ts'
import { type AccountApi, AccountError } from '../account-api.ts'
import { isOfSession } from '../sign-out.ts'
import { paneTexts } from './pane-texts.ts'

export type Shown<Value> =
  | { readonly kind: 'LOADING' }
  | { readonly kind: 'FAILED'; readonly problem: string }
  | { readonly kind: 'THERE'; readonly value: Value }

/** Endpoints of the account interface that list something. */
type Listing = 'me' | 'sessions' | 'history'

export class PanesState {
  readonly me = signal<Shown<AccountData<'me'>>>({ kind: 'LOADING' })
  readonly sessions = signal<Shown<AccountData<'sessions'>>>({ kind: 'LOADING' })
  readonly history = signal<Shown<AccountData<'history'>>>({ kind: 'LOADING' })
  /** The last action that was done, for people; '': none. */
  readonly done = signal('')
  readonly problem = signal('')
  readonly isBusy = signal(false)
  readonly #api: AccountApi
  readonly #holder: KeyHolder
  readonly #onOver: () => void

  /** `onOver`: there is no session any more. */
  constructor(api: AccountApi, holder: KeyHolder, onOver: () => void) {
    this.#api = api
    this.#holder = holder
    this.#onOver = onOver
  }

  /** Asks again; what is shown stays until the answer is there. */
  async load<Name extends Listing>(name: Name): Promise<void> {
    const shown = this[name] as Signal<Shown<AccountData<Name>>>
    if (shown.peek().kind === 'FAILED') shown.value = { kind: 'LOADING' }
    try {
      shown.value = { kind: 'THERE', value: (await this.#api.get(name)) as AccountData<Name> }
    } catch (error) {
      if (!this.#isOver(error)) shown.value = { kind: 'FAILED', problem: problemOf(error) }
    }
  }

  /** Ends another session. */
  endSession(id: string): Promise<void> {
    return this.#run(async () => {
      await this.#api.post('session/end', { id })
      await this.load('sessions')
      return paneTexts().sessions.ended
    })
  }

  endOtherSessions(): Promise<void> {
    return this.#run(async () => {
      await this.#api.post('session/end')
      await this.load('sessions')
      return paneTexts().sessions.endedOthers
    })
  }

  /** Ends this session, and with it the key with which the page trades. */
  signOut(): Promise<void> {
    return this.#run(async () => {
      await this.#api.post('logout')
      const { value } = this.#holder.state
      if (value.kind === 'held' && isOfSession(value.key)) await this.#holder.forget()
      this.#onOver()
      return ''
    })
  }

  /** `work` says what it has done. */
  async #run(work: () => Promise<string>): Promise<void> {
    if (this.isBusy.peek()) return
    this.isBusy.value = true
    this.problem.value = ''
    this.done.value = ''
    try {
      this.done.value = await work()
    } catch (error) {
      if (!this.#isOver(error)) this.problem.value = problemOf(error)
    }
    this.isBusy.value = false
  }

  #isOver(error: unknown): boolean {
    const isOver = error instanceof AccountError && error.reason === 'SESSION_NEEDED'
    if (isOver) this.#onOver()
    return isOver
  }
}

function problemOf(error: unknown): string {
  return error instanceof AccountError && error.message !== '' ? error.message : paneTexts().noAnswer
}
