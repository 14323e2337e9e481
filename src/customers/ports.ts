/**
 * The ports of the customers process: time, randomness, a log, and the exchange, which the process changes
 * only through operators' operations.
 */
import type { OwnKeyPermission } from '../contract/admin/operations/own-keys.ts'
import type { AccountRestriction } from '../units/operator-enums.ts'
import type { KeyKind, KeyWire, Permission } from '../units/order-enums.ts'

export type World = {
  /** Milliseconds since 1970; may jump. */
  readonly now: () => number
  /** Milliseconds since an arbitrary time; never goes back. */
  readonly monotonicMs: () => number
  /** Cryptographically random. */
  readonly randomBytes: (size: number) => Uint8Array
  readonly log: Log
}

/** Slow hashes of passwords (argon2id). */
export interface PasswordHash {
  hash(password: string): Promise<string>
  verify(password: string, hash: string): Promise<boolean>
}

export type MailToSend = {
  /** With its brackets (RFC 5322, 3.6.4): the same each time this email is sent. */
  readonly messageId: string
  /** The name of the exchange. */
  readonly fromName: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly language: string
}

/**
 * REFUSED: permanently, by the mail server; LATER: not accepted now; IN_DOUBT: possibly accepted, the answer
 * was lost. `problem` contains no address.
 */
export type MailOutcome =
  | { readonly kind: 'SENT' }
  | { readonly kind: 'REFUSED' | 'LATER' | 'IN_DOUBT'; readonly problem: string }

export interface MailTransport {
  /** Never rejects. */
  send(mail: MailToSend): Promise<MailOutcome>
}

export type Log = {
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
  info(fields: object, message: string): void
}

/** A session's key as gateways accept it: Ed25519 or P-256. */
export type SessionKey = {
  /** `s-` and 26 characters. */
  readonly name: string
  readonly account: string
  /** 32 bytes, or 65 for a point of P-256. */
  readonly publicKey: Uint8Array
  /** Milliseconds until the key ends at the latest. */
  readonly lastsMs: number
}

/** No item may be in both lists. */
export type RestrictionChange = {
  readonly added: readonly AccountRestriction[]
  readonly removed: readonly AccountRestriction[]
}

/** A key of an account as the exchange has it, without its name and addresses, which only the store has. */
export type ExchangeKey = {
  readonly apiKey: string
  readonly kind: KeyKind
  readonly wire: KeyWire
  readonly permissions: readonly Permission[]
  readonly createdMs: number
  /** Undefined if it never expires. */
  readonly endsMs: number | undefined
  readonly isEnabled: boolean
  readonly isRevoked: boolean
  readonly lastUsedMs: number | undefined
}

/** Terms of a key as requested by a person. */
export type KeyTerms = {
  readonly permissions: readonly OwnKeyPermission[]
  /** If empty, the key may be used from any address. The addresses are not journaled. */
  readonly addresses: readonly string[]
  /** Undefined if it never expires. */
  readonly endsMs: number | undefined
  /** The public key of a pair; undefined if the key gets a secret. */
  readonly publicKey: string | undefined
  readonly wire: KeyWire
}

export type NewKey = {
  readonly key: ExchangeKey
  /** Undefined for a key of a pair. */
  readonly secret: string | undefined
}

/** A key with the addresses from which it may be used. */
export type AddressList = { readonly apiKey: string; readonly addresses: readonly string[] }

/** The exchange cannot be reached, or refuses a request that it should accept. */
export class ExchangeFault extends Error {
  override readonly name = 'ExchangeFault'
  /** The reason of a refusal; undefined if there was no answer. */
  readonly refusal: string | undefined

  constructor(message: string, options: ErrorOptions & { readonly refusal?: string } = {}) {
    super(message, options)
    this.refusal = options.refusal
  }
}

/** An entry of the trail, with its hash. */
export type TrailHead = { readonly number: number; readonly hash: Uint8Array }

/** Facts about a customer in the exchange's journal. */
export type CustomerMark = {
  readonly account: string
  readonly epoch: number
  readonly isForgotten: boolean
  /** The customer has frozen the account. */
  readonly isFrozen: boolean
}

export type CustomerMarks = {
  readonly marks: readonly CustomerMark[]
  /** The start of the next page; absent on the last page. */
  readonly next?: number
}

/** The exchange refuses terms of a key: the field of `KeyTerms`, or the number of keys. */
export class KeyTermsRefusal {
  readonly why: 'publicKey' | 'addresses' | 'TOO_MANY'

  constructor(why: KeyTermsRefusal['why']) {
    this.why = why
  }
}

export interface ExchangeAccess {
  /** Opens an account; a repeat returns the same one. Rejects with `ExchangeFault`. */
  openAccount(name: string): Promise<void>
  /**
   * Journals that a customer's ways to sign in have changed; returns the new number, at least `epoch`, so
   * that a repeat raises it only once. Rejects with `ExchangeFault`.
   */
  raiseEpoch(account: string, epoch: number): Promise<number>
  /** Journals that a customer's data is erased; a repeat changes nothing. Rejects with `ExchangeFault`. */
  forget(account: string): Promise<void>
  /** Journals the head of the trail. Rejects with `ExchangeFault`. */
  noteHead(number: number, hash: Uint8Array): Promise<void>
  /** The newest head in the journal; undefined if there is none. Rejects with `ExchangeFault`. */
  newestHead(): Promise<TrailHead | undefined>
  /** A page of all customers. Rejects with `ExchangeFault`. */
  marks(after: number | undefined): Promise<CustomerMarks>
  /**
   * Announces a key; resolves when every gateway accepts it. RESTRICTED: the account may not sign in, and the
   * key was not added; NO_KEY: the bytes are not a public key. Rejects with `ExchangeFault`.
   */
  openSession(key: SessionKey): Promise<'OPENED' | 'RESTRICTED' | 'NO_KEY'>
  /** Changes restrictions that customers set, in the journal; repeatable. Rejects with `ExchangeFault`. */
  restrict(account: string, change: RestrictionChange): Promise<void>
  /**
   * Announces all existing keys, in pages: the first page starts a new announcement, and after the last page
   * every key ends that was neither announced nor opened since. The keys of a page are read only after the
   * first page was answered. Rejects with `ExchangeFault`, also if the announcement must start again.
   */
  announceSessions(
    keys: readonly SessionKey[],
    place: { readonly isFirst: boolean; readonly isLast: boolean },
  ): Promise<void>
  /** Keys of an account, revoked ones too. Rejects with `ExchangeFault`. */
  keysOf(account: string): Promise<readonly ExchangeKey[]>
  /** Rejects with `ExchangeFault`; the key may then exist, and its secret is lost. */
  addKey(account: string, terms: KeyTerms): Promise<NewKey | KeyTermsRefusal>
  /**
   * Resolves when no gateway accepts the key any more; false if the account has no such key. Rejects with
   * `ExchangeFault`.
   */
  endKey(account: string, apiKey: string): Promise<boolean>
  /**
   * Announces all lists of addresses, in pages like those of `announceSessions`; without `place`, only these
   * lists. Rejects with `ExchangeFault`.
   */
  announceAddresses(
    lists: readonly AddressList[],
    place?: { readonly isFirst: boolean; readonly isLast: boolean },
  ): Promise<void>
  /** Resolves when no gateway accepts any of these keys any more. Rejects with `ExchangeFault`. */
  endSessions(names: readonly string[]): Promise<void>
}
