/**
 * The ways to sign in, and their changes: each change other than a rename requires a step-up, and ends all
 * other sessions.
 */
import { signal } from '@preact/signals'
import { startRegistration } from '@simplewebauthn/browser'
import type { AccountData } from '../../../../../contract/customers/endpoints.ts'
import { paneTexts } from '../pane-texts.ts'
import type { PanesState } from '../panes-state.ts'

export type Passkey = AccountData<'me'>['passkeys'][number]

/** The open part of the pane; LIST if none is open. */
export type FactorsStep = 'LIST' | 'PASSKEY' | 'RENAME' | 'PASSWORD' | 'APP' | 'CODES'

export type FactorsProps = { readonly factors: FactorsFlow; readonly isBusy: boolean }

/** Creates a passkey in this browser, with the options from the exchange. */
export type Attest = (options: string) => Promise<unknown>

export class FactorsFlow {
  readonly step = signal<FactorsStep>('LIST')
  /** The passkey that is being renamed. */
  readonly renamed = signal<Passkey | undefined>(undefined)
  /** The new secret of an authenticator app; undefined if none is being set up. */
  readonly app = signal<AccountData<'totp/begin'> | undefined>(undefined)
  /** Recovery codes just created, shown only once; empty if there are none. */
  readonly codes = signal<readonly string[]>([])
  /** The question whether to freeze the account is displayed. */
  readonly asksFreeze = signal(false)
  readonly #panes: PanesState
  readonly #attest: Attest

  constructor(panes: PanesState, attest: Attest = attestWithPasskey) {
    this.#panes = panes
    this.#attest = attest
  }

  show(step: FactorsStep): void {
    this.#panes.clear()
    this.app.value = undefined
    this.codes.value = []
    this.renamed.value = undefined
    this.step.value = step
  }

  showRename(passkey: Passkey): void {
    this.show('RENAME')
    this.renamed.value = passkey
  }

  renamePasskey({ id }: Pick<Passkey, 'id'>, label: string): Promise<boolean> {
    return this.#changed(async () => {
      await this.#panes.post('passkey/rename', { id, label })
      return paneTexts().passkeys.renamed
    })
  }

  /** `label`: if empty, the exchange names it after this device. */
  addPasskey(label: string): Promise<boolean> {
    return this.#changed(async () => {
      const { options } = await this.#panes.proved('passkey/register/begin')
      const attestation = await this.#attest(options)
      await this.#panes.post('passkey/register/finish', { attestation, ...(label === '' ? {} : { label }) })
      return paneTexts().passkeys.added
    })
  }

  removePasskey({ id }: Pick<Passkey, 'id'>): Promise<boolean> {
    return this.#changed(async () => {
      await this.#panes.proved('passkey/remove', { id })
      return paneTexts().passkeys.removed
    })
  }

  /** A first password also needs an authenticator app, which is the next step. */
  async setPassword(password: string): Promise<void> {
    const me = this.#panes.me.peek()
    const isFirst = me.kind === 'THERE' && !me.value.hasPassword
    const isSet = await this.#changed(async () => {
      await this.#panes.proved('password/set', { password })
      return isFirst ? paneTexts().password.setFirst : paneTexts().password.set
    })
    if (isSet && isFirst) this.step.value = 'APP'
  }

  removePassword(): Promise<boolean> {
    return this.#changed(async () => {
      await this.#panes.proved('password/remove')
      return paneTexts().password.removed
    })
  }

  beginApp(): Promise<boolean> {
    return this.#panes.run(async () => {
      this.app.value = await this.#panes.proved('totp/begin')
      this.step.value = 'APP'
      return ''
    })
  }

  finishApp(code: string): Promise<boolean> {
    return this.#changed(async () => {
      await this.#panes.post('totp/finish', { code })
      this.app.value = undefined
      return paneTexts().password.appSet
    })
  }

  newCodes(): Promise<boolean> {
    return this.#panes.run(async () => {
      const { recoveryCodes } = await this.#panes.proved('recovery-codes/new')
      this.codes.value = recoveryCodes
      this.step.value = 'CODES'
      await this.#panes.load('me')
      return ''
    })
  }

  freeze(): Promise<boolean> {
    this.asksFreeze.value = false
    return this.#panes.run(async () => {
      await this.#panes.post('freeze')
      await this.#panes.over('FROZEN')
      return ''
    })
  }

  #changed(work: () => Promise<string>): Promise<boolean> {
    return this.#panes.run(async () => {
      const done = await work()
      await this.#panes.load('me')
      this.step.value = 'LIST'
      return done
    })
  }
}

function attestWithPasskey(options: string): Promise<unknown> {
  return startRegistration({ optionsJSON: JSON.parse(options) })
}
