/** The person's data: saved as a file, and permanently erased. */
import { signal } from '@preact/signals'
import { type SavedFile, saveFile } from '../../../shared/save-file.ts'
import { paneTexts } from './pane-texts.ts'
import { isStepUpNeeded, type PanesState } from './panes-state.ts'

export class OwnData {
  readonly asksErase = signal(false)
  /** The form that is open; undefined if none is. */
  readonly form = signal<'PHRASE' | 'MAIL' | undefined>(undefined)
  readonly #panes: PanesState
  readonly #saveFile: (file: SavedFile) => void

  constructor(panes: PanesState, save: (file: SavedFile) => void = saveFile) {
    this.#panes = panes
    this.#saveFile = save
  }

  show(form: 'PHRASE' | 'MAIL' | undefined): void {
    this.#panes.clear()
    this.form.value = form
  }

  /** With undefined, emails no longer begin with a phrase. */
  setPhrase(phrase: string | undefined): Promise<boolean> {
    return this.#panes.run(async () => {
      await this.#panes.proved('phrase/set', phrase === undefined ? {} : { phrase })
      await this.#panes.load('me')
      this.form.value = undefined
      const { phraseSet, phraseRemoved } = paneTexts().data
      return phrase === undefined ? phraseRemoved : phraseSet
    })
  }

  /** The answer is the same for every email address. */
  changeMail(mail: string): Promise<boolean> {
    return this.#panes.run(async () => {
      await this.#panes.proved('mail/change/begin', { mail })
      this.form.value = undefined
      const { mailSent, mailSentSandbox } = paneTexts().data
      return this.#panes.isSandbox ? mailSentSandbox : mailSent
    })
  }

  save(): Promise<boolean> {
    return this.#panes.run(async () => {
      const data = await this.#panes.get('export').catch(async (error: unknown) => {
        if (!isStepUpNeeded(error)) throw error
        await this.#panes.proveReading('export')
        return this.#panes.get('export')
      })
      const parts = [`${JSON.stringify(data, null, 2)}\n`]
      this.#saveFile({ name: `${data.account}.json`, type: 'application/json', parts })
      return paneTexts().data.saved
    })
  }

  erase(): Promise<boolean> {
    this.asksErase.value = false
    return this.#panes.run(async () => {
      await this.#panes.proved('erase')
      await this.#panes.over('ERASED')
      return ''
    })
  }
}
