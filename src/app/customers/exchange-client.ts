/** The exchange for the customers' process: operations of the admin server, with the token of its role. */
import { randomBytes } from 'node:crypto'
import {
  ADMIN_PATH,
  type AdminAnswer,
  type AdminError,
  type AdminOperation,
  type AdminRequests,
  type AdminResults,
} from '../../contract/admin/admin.ts'
import type { AdminKey } from '../../contract/admin/records.ts'
import {
  type AddressList,
  type CustomerMarks,
  type ExchangeAccess,
  ExchangeFault,
  type ExchangeKey,
  type KeyTerms,
  KeyTermsRefusal,
  type NewKey,
  type RestrictionChange,
  type SessionKey,
  type TrailHead,
} from '../../customers/ports.ts'
import { DOCUMENT_JSON, parseJson } from '../../units/bounded-json.ts'

/** Longest wait for an answer. */
export const CALL_MS_MAX = 8_000
const NAME_BYTES = 8

export type AdminAccess = { readonly url: string; readonly token: string }

/** Sends an operation; resolves with the text of its answer, and rejects if there is none. */
export type AdminCall = (operation: AdminOperation, body: string) => Promise<string>

/** Calls one admin server. */
export function callOf({ url, token }: AdminAccess): AdminCall {
  return async (operation, body) => {
    const response = await fetch(`${url}${ADMIN_PATH}${operation}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body,
      signal: AbortSignal.timeout(CALL_MS_MAX),
    })
    return response.text()
  }
}

export class ExchangeClient implements ExchangeAccess {
  readonly #call: AdminCall
  /** Identifies the announcements of this process. */
  readonly #by = randomBytes(NAME_BYTES).toString('hex')

  constructor(call: AdminCall) {
    this.#call = call
  }

  async openAccount(name: string): Promise<void> {
    await this.#ask('account/add', { name })
  }

  async raiseEpoch(account: string, epoch: number): Promise<number> {
    return (await this.#ask('customer/raise', { account, epoch })).epoch
  }

  async forget(account: string): Promise<void> {
    await this.#ask('customer/forget', { account })
  }

  async noteHead(number: number, hash: Uint8Array): Promise<void> {
    await this.#ask('customer/head', { number, hash: Buffer.from(hash).toString('hex') })
  }

  async newestHead(): Promise<TrailHead | undefined> {
    const { head } = await this.#ask('customer/newest-head', {})
    return head === null ? undefined : { number: head.number, hash: Buffer.from(head.hash, 'hex') }
  }

  async marks(after: number | undefined): Promise<CustomerMarks> {
    const { marks, next } = await this.#ask('customer/marks', after === undefined ? {} : { after })
    const read = marks.map(({ account, epoch, forgotten, frozen }) => ({
      ...{ account, epoch, isForgotten: forgotten, isFrozen: frozen },
    }))
    return next === undefined ? { marks: read } : { marks: read, next }
  }

  async openSession(key: SessionKey): Promise<'OPENED' | 'RESTRICTED' | 'NO_KEY'> {
    const answer = await this.#answerOf('session/open', { keys: [textOf(key)] })
    if (!answer.ok && answer.error.reason === 'ACCOUNT_RESTRICTED') return 'RESTRICTED'
    if (!answer.ok && answer.error.field === 'keys') return 'NO_KEY'
    resultOf('session/open', answer)
    return 'OPENED'
  }

  async restrict(account: string, change: RestrictionChange): Promise<void> {
    await this.#ask('customer/restrict', { account, ...change })
  }

  async announceSessions(
    keys: readonly SessionKey[],
    { isFirst, isLast }: { readonly isFirst: boolean; readonly isLast: boolean },
  ): Promise<void> {
    await this.#ask('session/open', {
      keys: keys.map(textOf),
      telling: tellingOf(isFirst, isLast),
      by: this.#by,
    })
  }

  async endSessions(names: readonly string[]): Promise<void> {
    await this.#ask('session/end', { names })
  }

  async keysOf(account: string): Promise<readonly ExchangeKey[]> {
    return (await this.#ask('own-key/list', { account })).map(keyOf)
  }

  async addKey(
    account: string,
    { permissions, addresses, endsMs, publicKey, wire }: KeyTerms,
  ): Promise<NewKey | KeyTermsRefusal> {
    try {
      const { secret, ...key } = await this.#ask('own-key/add', {
        ...{ account, permissions, addresses, wire },
        expiresAt: endsMs === undefined ? '' : new Date(endsMs).toISOString(),
        ...(publicKey === undefined ? {} : { publicKey }),
      })
      return { key: keyOf(key), secret: secret ?? undefined }
    } catch (cause) {
      const why = cause instanceof RefusedFault ? whyNoKey(cause) : undefined
      if (why === undefined) throw cause
      return new KeyTermsRefusal(why)
    }
  }

  async endKey(account: string, apiKey: string): Promise<boolean> {
    try {
      await this.#ask('own-key/end', { account, apiKey })
      return true
    } catch (cause) {
      if (cause instanceof RefusedFault && cause.error.reason === 'UNKNOWN_API_KEY') return false
      throw cause
    }
  }

  async announceAddresses(
    lists: readonly AddressList[],
    place?: { readonly isFirst: boolean; readonly isLast: boolean },
  ): Promise<void> {
    const texts = lists.map(({ apiKey, addresses }) => [apiKey, ...addresses].join(' '))
    await this.#ask('own-key/addresses', {
      lists: texts,
      ...(place === undefined ? {} : { telling: tellingOf(place.isFirst, place.isLast), by: this.#by }),
    })
  }

  async #ask<Operation extends AdminOperation>(
    operation: Operation,
    request: AdminRequests[Operation],
  ): Promise<AdminResults[Operation]> {
    return resultOf(operation, await this.#answerOf(operation, request))
  }

  async #answerOf<Operation extends AdminOperation>(
    operation: Operation,
    request: AdminRequests[Operation],
  ): Promise<AdminAnswer<Operation>> {
    try {
      const text = await this.#call(operation, JSON.stringify(request))
      return parseJson(text, DOCUMENT_JSON) as AdminAnswer<Operation>
    } catch (cause) {
      throw new ExchangeFault(`${operation} had no answer`, { cause })
    }
  }
}

/** The exchange refused the operation. */
class RefusedFault extends ExchangeFault {
  readonly error: AdminError

  constructor(operation: AdminOperation, error: AdminError) {
    super(`${operation} was refused: ${error.reason}, ${error.message}`, { refusal: error.reason })
    this.error = error
  }
}

function whyNoKey({ error: { reason, field = '' } }: RefusedFault): KeyTermsRefusal['why'] | undefined {
  if (reason === 'CUSTOMERS_DAY_LIMIT' || reason === 'LIMIT_REACHED') return 'TOO_MANY'
  if (field === 'publicKey') return 'publicKey'
  return field.startsWith('addresses') ? 'addresses' : undefined
}

function tellingOf(isFirst: boolean, isLast: boolean) {
  return isFirst ? (isLast ? 'WHOLE' : 'FIRST') : isLast ? 'LAST' : 'MORE'
}

function keyOf(key: AdminKey): ExchangeKey {
  const { apiKey, kind, wire, permissions, enabled, revoked, createdAt, expiresAt, lastUsedAt } = key
  return {
    ...{ apiKey, kind, wire, permissions, isEnabled: enabled, isRevoked: revoked },
    createdMs: Date.parse(createdAt),
    endsMs: expiresAt === null ? undefined : Date.parse(expiresAt),
    lastUsedMs: lastUsedAt === null ? undefined : Date.parse(lastUsedAt),
  }
}

/** Throws `ExchangeFault`. */
function resultOf<Operation extends AdminOperation>(
  operation: Operation,
  answer: AdminAnswer<Operation>,
): AdminResults[Operation] {
  if (answer.ok) return answer.result
  throw new RefusedFault(operation, answer.error)
}

/** In the form of `session/open`. */
function textOf({ name, account, publicKey, lastsMs }: SessionKey): string {
  return [name, account, Buffer.from(publicKey).toString('hex'), Math.ceil(lastsMs)].join(' ')
}
