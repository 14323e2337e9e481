/** The steps by which a person signs in, or opens an account: with a passkey, or a password and an app. */
import { signal } from '@preact/signals'
import { startAuthentication, startRegistration } from '@simplewebauthn/browser'
import type { AccountData } from '../../../../contract/customers/endpoints.ts'
import { shownLanguage } from '../../../shared/texts/texts.ts'
import type { KeyHolder } from '../../key/key-holder.ts'
import { type AccountApi, type AccountConfig, AccountError, type SignedIn } from '../account-api.ts'
import type { MailLink } from '../mail-link.ts'
import { paneTexts } from './pane-texts.ts'
import type { Ending } from './panes-state.ts'
import { problemOf } from './problem.ts'
import { newSessionPair } from './session-pair.ts'

/**
 * PASSWORD: signing in with one; NEW_PASSWORD, APP: opening an account with them; WAITING: an operator must
 * approve; SIGNED_IN: there is a session, and the account's panes are shown; HELP: requesting an email that
 * recovers the account or lifts its freeze; CODES: recovery codes, shown only once; ASK_OPERATORS, ASKED: a
 * recovery without a code; RESET: a link that operators have sent; MAIL: a new address is to be confirmed.
 */
export type EntryStep =
  | ('START' | 'BEGIN' | 'PASSWORD' | 'SENT' | 'CONFIRM' | 'PASSKEY' | 'CODES' | 'WAITING' | 'SIGNED_IN')
  | ('NEW_PASSWORD' | 'APP')
  | ('HELP' | 'HELP_SENT' | 'RECOVER' | 'ASK_OPERATORS' | 'ASKED' | 'RESET' | 'MAIL' | 'MAIL_CHANGED')
  | ('FREEZE' | 'FROZEN' | 'UNFREEZE' | 'LIFTED' | 'ERASED')

const STEPS: { readonly [K in MailLink['kind']]: EntryStep } = {
  confirm: 'CONFIRM',
  freeze: 'FREEZE',
  unfreeze: 'UNFREEZE',
  recover: 'RECOVER',
  reset: 'RESET',
  mail: 'MAIL',
}

type Options = { readonly options: string }
type Opened = {
  readonly isWaiting?: boolean
  /** Also absent if the exchange has refused the sign-in, for example to a frozen account. */
  readonly signedIn?: SignedIn
  readonly recoveryCodes?: readonly string[]
}

export type EntryOptions = {
  readonly api: AccountApi
  readonly holder: KeyHolder
  /** The link in the email that opened the page; undefined if there was none. */
  readonly link: MailLink | undefined
  /** Called when the person has signed in. */
  readonly onDone: () => void
}

export class EntryFlow {
  readonly step = signal<EntryStep>('START')
  readonly problem = signal('')
  /** The reason why the person must sign in; '' if there is none. */
  readonly note = signal('')
  /** The page was opened at an address at which passkeys do not work. */
  readonly isElsewhere = signal(false)
  readonly isBusy = signal(false)
  readonly config = signal<AccountConfig | undefined>(undefined)
  /** Recovery codes just created; empty if there are none. */
  readonly codes = signal<readonly string[]>([])
  /** The earliest time at which operators can recover the account, in milliseconds. */
  readonly readyAt = signal(0)
  /** The secret of the authenticator app that is being set up; undefined if there is none. */
  readonly app = signal<AccountData<'totp/begin'> | undefined>(undefined)
  readonly #options: EntryOptions
  /** The page trades with a key, and the person wants to see the account. */
  readonly #isHeld: boolean
  #isWaiting = false
  #isSignedIn = true

  constructor(options: EntryOptions) {
    this.#options = options
    this.#isHeld = options.holder.state.peek().kind === 'held'
  }

  /** Starts; a reloaded page continues where it was. */
  start(): Promise<void> {
    return this.#run(async () => {
      const { state } = await this.#configured()
      const { link } = this.#options
      if (link?.kind === 'mail' && state !== 'SESSION') {
        this.step.value = 'BEGIN'
        this.note.value = paneTexts().help.mailSignIn
      } else if (link !== undefined) this.step.value = STEPS[link.kind]
      else if (state === 'SIGNUP') this.step.value = 'PASSKEY'
      else this.step.value = state === 'SESSION' && this.#isHeld ? 'SIGNED_IN' : 'BEGIN'
    })
  }

  /** Called when there is no longer a session. */
  async over(ending: Ending): Promise<void> {
    this.config.value = undefined
    this.step.value = ending === 'OVER' ? 'BEGIN' : ending
    await this.#run(async () => void (await this.#configured()))
    if (ending === 'OVER') this.problem.value ||= paneTexts().over
  }

  signIn(): Promise<void> {
    return this.#run(async () => {
      const { api } = this.#options
      const { secret, publicKey } = await newSessionPair(crypto.subtle)
      const assertion = await this.#assertion()
      const asked = { assertion, sessionKey: publicKey }
      await this.#signedIn((await api.post('login/passkey/finish', asked)) as SignedIn, secret)
    })
  }

  signInWithPassword(mail: string, password: string, code: string): Promise<void> {
    return this.#run(async () => {
      const { api } = this.#options
      const { secret, publicKey } = await newSessionPair(crypto.subtle)
      const asked = { mail, password, code, sessionKey: publicKey }
      await this.#signedIn((await api.post('login/password', asked)) as SignedIn, secret)
    })
  }

  /** Goes to another step that the person has chosen. */
  show(step: 'BEGIN' | 'PASSWORD' | 'PASSKEY' | 'NEW_PASSWORD' | 'HELP' | 'RECOVER' | 'ASK_OPERATORS'): void {
    this.problem.value = ''
    this.step.value = step
  }

  /** `invitation`: empty if there is none. */
  begin(mail: string, invitation: string): Promise<void> {
    return this.#run(async () => {
      const { termsVersion } = await this.#configured()
      const asked = { mail, language: shownLanguage(), termsVersion }
      await this.#options.api.post('signup/begin', invitation === '' ? asked : { ...asked, invitation })
      this.step.value = 'SENT'
    })
  }

  confirm(): Promise<void> {
    return this.#run(async () => {
      await this.#options.api.post('signup/confirm', { token: this.#token })
      this.step.value = 'PASSKEY'
    })
  }

  /** The answer is the same for every email address. */
  askForMail(mail: string, path: 'recover/begin' | 'unfreeze/begin'): Promise<void> {
    return this.#run(async () => {
      await this.#options.api.post(path, { mail })
      this.step.value = 'HELP_SENT'
    })
  }

  recover(code: string): Promise<void> {
    return this.#run(async () => {
      await this.#options.api.post('recover/confirm', { token: this.#token, code })
      this.step.value = 'PASSKEY'
    })
  }

  /** Requests a recovery from operators, for a person without a recovery code. */
  askOperators(): Promise<void> {
    return this.#run(async () => {
      const asked = await this.#options.api.post('recover/request', { token: this.#token })
      this.readyAt.value = (asked as AccountData<'recover/request'>).readyAt
      this.step.value = 'ASKED'
    })
  }

  /** Confirms the reset with the token of the link that operators sent. */
  reset(): Promise<void> {
    return this.#run(async () => {
      await this.#options.api.post('reset/confirm', { token: this.#token })
      this.step.value = 'PASSKEY'
    })
  }

  confirmMail(): Promise<void> {
    return this.#run(async () => {
      await this.#options.api.post('mail/change/confirm', { token: this.#token })
      this.step.value = 'MAIL_CHANGED'
    })
  }

  freeze(): Promise<void> {
    return this.#run(async () => {
      await this.#options.api.post('freeze/link', { token: this.#token })
      this.step.value = 'FROZEN'
    })
  }

  unfreeze(): Promise<void> {
    return this.#run(async () => {
      const assertion = await this.#assertion()
      await this.#options.api.post('unfreeze/confirm', { token: this.#token, assertion })
      this.step.value = 'LIFTED'
    })
  }

  register(): Promise<void> {
    return this.#run(async () => {
      const { api } = this.#options
      const { secret, publicKey } = await newSessionPair(crypto.subtle)
      const { options } = (await api.post('passkey/register/begin')) as Options
      const attestation = await startRegistration({ optionsJSON: JSON.parse(options) })
      const asked = { attestation, sessionKey: publicKey }
      await this.#opened((await api.post('passkey/register/finish', asked)) as Opened, secret)
    })
  }

  /** Instead of a passkey: first a password, then the secret of an authenticator app. */
  newPassword(password: string): Promise<void> {
    return this.#run(async () => {
      const { api } = this.#options
      await api.post('password/set', { password })
      this.app.value = (await api.post('totp/begin')) as AccountData<'totp/begin'>
      this.step.value = 'APP'
    })
  }

  finishApp(code: string): Promise<void> {
    return this.#run(async () => {
      const { api } = this.#options
      const { secret, publicKey } = await newSessionPair(crypto.subtle)
      const asked = { code, sessionKey: publicKey }
      await this.#opened((await api.post('totp/finish', asked)) as Opened, secret)
    })
  }

  /** Called when the codes have been saved, or there are none. */
  goOn(): void {
    this.codes.value = []
    if (this.#isWaiting) this.step.value = 'WAITING'
    else if (this.#isSignedIn) this.#done()
    else this.step.value = 'BEGIN'
  }

  async #signedIn(signedIn: SignedIn, secret: CryptoKey): Promise<void> {
    await this.#hold(signedIn, secret)
    this.#done()
  }

  async #opened({ isWaiting, signedIn, recoveryCodes = [] }: Opened, secret: CryptoKey): Promise<void> {
    this.#isWaiting = isWaiting === true
    this.#isSignedIn = signedIn !== undefined
    if (signedIn !== undefined) await this.#hold(signedIn, secret)
    this.app.value = undefined
    this.codes.value = recoveryCodes
    if (recoveryCodes.length > 0) this.step.value = 'CODES'
    else this.goOn()
  }

  #hold({ account, sessionKeyName }: SignedIn, secret: CryptoKey): Promise<void> {
    return this.#options.holder.hold({ apiKey: sessionKeyName, secret, account })
  }

  #done(): void {
    this.note.value = ''
    if (this.#options.link?.kind === 'mail') this.step.value = 'MAIL'
    else if (this.#isHeld) this.step.value = 'SIGNED_IN'
    else this.#options.onDone()
  }

  /** A recovered account gets a passkey, and no other credential. */
  get mayUsePassword(): boolean {
    const kind = this.#options.link?.kind
    return kind !== 'recover' && kind !== 'reset'
  }

  get #token(): string {
    return this.#options.link?.token ?? ''
  }

  async #assertion(): Promise<unknown> {
    const { options } = (await this.#options.api.post('login/passkey/begin')) as Options
    return startAuthentication({ optionsJSON: JSON.parse(options) })
  }

  async #configured(): Promise<AccountConfig> {
    const config = this.config.peek() ?? (await this.#options.api.config())
    this.config.value = config
    return config
  }

  async #run(work: () => Promise<void>): Promise<void> {
    this.isBusy.value = true
    this.problem.value = ''
    try {
      await this.#configured()
      await work()
    } catch (error) {
      this.problem.value = problemOf(error)
      this.isElsewhere.value = error instanceof AccountError && error.reason === 'WRONG_ADDRESS'
      if (this.step.peek() === 'START') this.step.value = 'BEGIN'
    }
    this.isBusy.value = false
  }
}
