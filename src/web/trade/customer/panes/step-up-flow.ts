/**
 * A step-up (docs/reference/account.md#step-up): the person reads a description of one operation, and
 * authenticates for it. The exchange writes the text.
 */
import { signal } from '@preact/signals'
import { startAuthentication } from '@simplewebauthn/browser'
import type { AccountData, AccountEndpoint } from '../../../../contract/customers/endpoints.ts'
import { type AccountApi, AccountError } from '../account-api.ts'
import { problemOf } from './problem.ts'

/** The ways in which the person can authenticate. */
export type Ways = { readonly hasPasskey: boolean; readonly hasPassword: boolean }

export type Asked = Ways & {
  /** The exchange's description of the operation that the person confirms. */
  readonly text: string
  /** The options with which the browser uses a passkey. */
  readonly options: string
  /** Another question is shown, because the first one has expired or was answered incorrectly. */
  readonly isAgain: boolean
}

/** The person has canceled the step-up. */
export class StepUpLeftError extends Error {
  override readonly name = 'StepUpLeftError'
}

export type StepUpPorts = {
  readonly api: Pick<AccountApi, 'post'>
  /** Uses a passkey. */
  readonly assert: (options: string) => Promise<unknown>
}

type StepUpAction = { readonly operation: AccountEndpoint; readonly values: object; readonly ways: Ways }

export class StepUpFlow {
  /** Undefined if there is no question. */
  readonly asked = signal<Asked | undefined>(undefined)
  readonly problem = signal('')
  readonly isBusy = signal(false)
  readonly #ports: StepUpPorts
  #settle: PromiseWithResolvers<string> | undefined
  #action: StepUpAction | undefined

  constructor(ports: StepUpPorts) {
    this.#ports = ports
  }

  /**
   * The token for the operation's header; empty for an operation that only reads. Rejects with
   * `StepUpLeftError`, or with `AccountError` if the operation is not possible.
   */
  async prove(operation: AccountEndpoint, values: object, ways: Ways): Promise<string> {
    this.leave(this.asked.peek())
    this.#action = { operation, values, ways }
    this.problem.value = ''
    const settle = Promise.withResolvers<string>()
    this.#settle = settle
    await this.#begin(this.#action, false)
    return settle.promise
  }

  withPasskey(): Promise<void> {
    const { options } = this.asked.peek() ?? {}
    if (options === undefined) return Promise.resolve()
    return this.#finish(async () => ({ assertion: await this.#ports.assert(options) }))
  }

  withPassword(password: string, code: string): Promise<void> {
    return this.#finish(async () => ({ password, code }))
  }

  /** A dialog that closes late removes its own question, not a newer one. */
  leave(asked: Asked | undefined): void {
    if (asked === this.asked.peek()) this.#end()?.reject(new StepUpLeftError())
  }

  async #finish(proof: () => Promise<object>): Promise<void> {
    if (this.isBusy.peek() || this.#action === undefined) return
    this.isBusy.value = true
    this.problem.value = ''
    const action = this.#action
    try {
      const done = await this.#ports.api.post('step-up/finish', await proof())
      const { stepUp = '' } = done as AccountData<'step-up/finish'>
      if (action === this.#action) this.#end()?.resolve(stepUp)
    } catch (error) {
      if (action === this.#action) await this.#failed(action, error)
    }
    this.isBusy.value = false
  }

  async #failed(action: StepUpAction, error: unknown): Promise<void> {
    if (error instanceof AccountError && error.reason === 'SESSION_NEEDED') {
      this.#end()?.reject(error)
      return
    }
    this.problem.value = problemOf(error)
    // A question whose answer was sent to the exchange is used up; a question that the browser has canceled
    // is not.
    if (!(error instanceof AccountError)) return
    await this.#begin(action, true).catch((cause: unknown) => this.#end()?.reject(cause))
  }

  async #begin(action: StepUpAction, isAgain: boolean): Promise<void> {
    const { operation, values, ways } = action
    const begun = await this.#ports.api.post('step-up/begin', { operation, values })
    const { text, options } = begun as AccountData<'step-up/begin'>
    if (action === this.#action) this.asked.value = { ...ways, text, options, isAgain }
  }

  #end(): PromiseWithResolvers<string> | undefined {
    const settle = this.#settle
    this.#settle = undefined
    this.#action = undefined
    this.asked.value = undefined
    return settle
  }
}

/** Uses a passkey of the person at this browser. */
export function assertWithPasskey(options: string): Promise<unknown> {
  return startAuthentication({ optionsJSON: JSON.parse(options) })
}
