/** The person's API keys: creating one, whose secret is shown once, and ending one. */
import { signal } from '@preact/signals'
import type { AccountData } from '../../../../../contract/customers/endpoints.ts'
import { paneTexts } from '../pane-texts.ts'
import type { PanesState } from '../panes-state.ts'
import { bodyOf, type DraftProblem, draftProblem, type KeyDraft, PROPOSED } from './key-draft.ts'

export type OwnKey = AccountData<'keys'>[number]
export type MadeKey = AccountData<'key/create'>

export class KeysFlow {
  /** LIST: the existing keys; FORM: a new one; MADE: its secret, shown only once. */
  readonly step = signal<'LIST' | 'FORM' | 'MADE'>('LIST')
  readonly draft = signal<KeyDraft>(PROPOSED)
  readonly draftProblem = signal<DraftProblem | undefined>(undefined)
  /** The key just created, with its secret; undefined if there is none. */
  readonly made = signal<MadeKey | undefined>(undefined)
  /** The key whose end the person is asked to confirm. */
  readonly ending = signal<OwnKey | undefined>(undefined)
  readonly #panes: PanesState
  readonly #now: () => number

  constructor(panes: PanesState, now: () => number) {
    this.#panes = panes
    this.#now = now
  }

  begin(): void {
    this.#panes.clear()
    this.draft.value = PROPOSED
    this.draftProblem.value = undefined
    this.step.value = 'FORM'
  }

  set(change: Partial<KeyDraft>): void {
    this.draft.value = { ...this.draft.peek(), ...change }
    this.draftProblem.value = undefined
  }

  leave(): void {
    this.#panes.clear()
    this.step.value = 'LIST'
  }

  async create(): Promise<void> {
    const draft = this.draft.peek()
    this.draftProblem.value = draftProblem(draft)
    if (this.draftProblem.peek() !== undefined) return
    await this.#panes.run(async () => {
      this.made.value = await this.#panes.proved('key/create', bodyOf(draft, this.#now()))
      this.step.value = 'MADE'
      await this.#panes.load('keys')
      return ''
    })
  }

  /** Called when the person has saved the secret: the page discards it. */
  saved(): void {
    this.made.value = undefined
    this.draft.value = PROPOSED
    this.step.value = 'LIST'
  }

  async end(): Promise<void> {
    const key = this.ending.peek()
    this.ending.value = undefined
    if (key === undefined) return
    await this.#panes.run(async () => {
      await this.#panes.post('key/end', { apiKey: key.apiKey })
      await this.#panes.load('keys')
      return paneTexts().keys.ended(key.name || paneTexts().keys.nameless)
    })
  }
}
