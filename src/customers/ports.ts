/**
 * The customers' process in the world: time, randomness, a log, and the exchange, on which it acts
 * by operators' operations alone.
 */
import type { OwnKeyPermission } from '../contract/admin/operations/own-keys.ts'
import type { AccountRestriction } from '../units/operator-enums.ts'
import type { KeyKind, KeyWire, Permission } from '../units/order-enums.ts'

export type World = {
  /** Milliseconds since 1970; not trusted to go on evenly. */
  readonly now: () => number
  /** Milliseconds since some moment, which never go back. */
  readonly monotonicMs: () => number
  /** Unpredictable. */
  readonly randomBytes: (size: number) => Uint8Array
  readonly log: Log
}

/** Slow hashes of passwords, argon2id. */
export interface PasswordHash {
  hash(password: string): Promise<string>
  verify(password: string, hash: string): Promise<boolean>
}

export type MailToSend = {
  /** With its brackets (RFC 5322, 3.6.4): the same each time this mail is sent. */
  readonly messageId: string
  /** The name of the exchange. */
  readonly fromName: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly language: string
}

/**
 * REFUSED: for good, as the mail server says; LATER: it was not taken now; IN_DOUBT: it may have been taken,
 * and the answer was lost. `problem` has no address.
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

/** A session's key as gateways take it: Ed25519, or P-256. */
export type SessionKey = {
  /** `s-` and 26 characters. */
  readonly name: string
  readonly account: string
  /** 32 bytes, or the 65 of a point. */
  readonly publicKey: Uint8Array
  /** Milliseconds from now on until the key ends in any case. */
  readonly lastsMs: number
}

/** No word may be in both. */
export type RestrictionChange = {
  readonly added: readonly AccountRestriction[]
  readonly removed: readonly AccountRestriction[]
}

/** A key of an account, as the exchange has it: without name and addresses, which it does not get. */
export type ExchangeKey = {
  readonly apiKey: string
  readonly kind: KeyKind
  readonly wire: KeyWire
  readonly permissions: readonly Permission[]
  readonly createdMs: number
  /** Undefined: never. */
  readonly endsMs: number | undefined
  readonly isEnabled: boolean
  readonly isRevoked: boolean
  readonly lastUsedMs: number | undefined
}

/** Terms of a key that a person asks for. */
export type KeyTerms = {
  readonly permissions: readonly OwnKeyPermission[]
  /** None: any. The journal does not get them. */
  readonly addresses: readonly string[]
  /** Undefined: never. */
  readonly endsMs: number | undefined
  /** Of a pair; undefined: it gets a secret. */
  readonly publicKey: string | undefined
  readonly wire: KeyWire
}

export type NewKey = {
  readonly key: ExchangeKey
  /** Undefined: of a pair. */
  readonly secret: string | undefined
}

/** A key with the addresses from which it may be used. */
export type AddressList = { readonly apiKey: string; readonly addresses: readonly string[] }

/** The exchange cannot be reached, or refuses what cannot be refused. */
export class ExchangeFault extends Error {
  override readonly name = 'ExchangeFault'
}

/** Facts about a customer in the exchange's journal. */
export type CustomerMark = {
  readonly account: string
  readonly epoch: number
  readonly isForgotten: boolean
}

export type CustomerMarks = {
  readonly marks: readonly CustomerMark[]
  /** Where the next page begins; absent: this is the last one. */
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
  /** Opens an account; a repeat finds the same one. Rejects with `ExchangeFault`. */
  openAccount(name: string): Promise<void>
  /**
   * Journals that a customer's ways to sign in have changed; the number after it, at least `epoch`: a repeat
   * raises it once. Rejects with `ExchangeFault`.
   */
  raiseEpoch(account: string, epoch: number): Promise<number>
  /** Journals that a customer's data is erased; a repeat changes nothing. Rejects with `ExchangeFault`. */
  forget(account: string): Promise<void>
  /** A page of all customers. Rejects with `ExchangeFault`. */
  marks(after: number | undefined): Promise<CustomerMarks>
  /**
   * Makes a key known; resolves when each gateway takes it. RESTRICTED: the account may not sign in, and
   * there is no such key; NO_KEY: the bytes are no public key. Rejects with `ExchangeFault`.
   */
  openSession(key: SessionKey): Promise<'OPENED' | 'RESTRICTED' | 'NO_KEY'>
  /** Changes restrictions that customers set, in the journal; repeatable. Rejects with `ExchangeFault`. */
  restrict(account: string, change: RestrictionChange): Promise<void>
  /**
   * Names all keys that there are, in pages: with the first one a new telling begins, and with the last one
   * what was not named since ends. Rejects with `ExchangeFault`.
   */
  tellSessions(
    keys: readonly SessionKey[],
    place: { readonly isFirst: boolean; readonly isLast: boolean },
  ): Promise<void>
  /** Keys of an account, revoked ones too. Rejects with `ExchangeFault`. */
  keysOf(account: string): Promise<readonly ExchangeKey[]>
  /** Rejects with `ExchangeFault`; the key may be there then, and its secret is lost. */
  addKey(account: string, terms: KeyTerms): Promise<NewKey | KeyTermsRefusal>
  /**
   * Resolves when no gateway takes the key any more; false: the account has no such key. Rejects with
   * `ExchangeFault`.
   */
  endKey(account: string, apiKey: string): Promise<boolean>
  /** Names all lists of addresses, in pages as `tellSessions`. Rejects with `ExchangeFault`. */
  tellAddresses(
    lists: readonly AddressList[],
    place: { readonly isFirst: boolean; readonly isLast: boolean },
  ): Promise<void>
  /** Resolves when no gateway takes any of these keys any more. Rejects with `ExchangeFault`. */
  endSessions(names: readonly string[]): Promise<void>
}
