/** Records of customers who signed up themselves, for operators. */
import type { AccountRestriction } from '../../units/operator-enums.ts'

/**
 * CONFIRMED: the email address is confirmed, and there is no passkey yet; WAITING: an operator must approve;
 * PENDING: the account is being opened at the exchange.
 */
export const CUSTOMER_STATES = ['CONFIRMED', 'WAITING', 'PENDING', 'ACTIVE'] as const
export type CustomerState = (typeof CUSTOMER_STATES)[number]

/** A customer without personal data, as the customers process reports it. */
export type KnownCustomer = {
  readonly account: string
  readonly state: CustomerState
  readonly createdAt: string
  readonly passkeys: number
  readonly sessions: number
}

/**
 * A customer with the restrictions of its account at the exchange; there are none if the account is not open
 * yet.
 */
export type AdminCustomer = KnownCustomer & {
  readonly operatorRestrictions: readonly AccountRestriction[]
  readonly customerRestrictions: readonly AccountRestriction[]
}

export type AdminFoundCustomer = {
  readonly account: string
  readonly state: CustomerState
  readonly mail: string
}

export type AdminCustomerSearch = {
  readonly customers: readonly AdminFoundCustomer[]
  /** The `after` of the next request; absent at the end. */
  readonly next?: string
}

/** Everything that the customers process stores about a person. */
export type KnownCustomerDetails = KnownCustomer & {
  readonly mail: string
  readonly language: string
  readonly termsVersion: number
  readonly signedInFrom: readonly AdminCustomerOrigin[]
}
export type AdminCustomerDetails = KnownCustomerDetails &
  Pick<AdminCustomer, 'operatorRestrictions' | 'customerRestrictions'>

/** All stored data of a person, as in the person's own export; times are ISO 8601. */
export type AdminCustomerExport = {
  readonly account: string
  readonly mail: string
  readonly language: string
  readonly phrase?: string
  readonly termsVersion: number
  readonly createdAt: string
  readonly passkeys: readonly {
    readonly label: string
    readonly createdAt: string
    readonly usedAt?: string
  }[]
  readonly sessions: readonly {
    readonly device: string
    readonly network: string
    readonly createdAt: string
    readonly lastUsedAt: string
  }[]
  readonly keys: readonly {
    readonly apiKey: string
    readonly name: string
    readonly addresses: readonly string[]
  }[]
  readonly history: readonly AdminCustomerEvent[]
}

/** A customer who has asked operators for a recovery. */
export type AdminRecoveryRequest = {
  readonly account: string
  readonly askedAt: string
  /** The time from which two operators may reset the customer. */
  readonly readyAt: string
}

/** An entry of the customers' trail. */
export type AdminTrailHead = {
  readonly number: number
  /** SHA-256 of that entry, 64 hexadecimal digits. */
  readonly hash: string
}

/** The chained history of all customers. */
export type AdminTrail = AdminTrailHead & {
  readonly entries: number
  /** Null if every entry matches the entries before it. */
  readonly broken: number | null
}

/** The state of a request that needs two operators. */
export type AdminTwoPersons = { readonly isDone: boolean; readonly askedBy: string; readonly askedAt: string }

/** The origin of a session. */
export type AdminCustomerOrigin = {
  readonly device: string
  readonly network: string
  readonly lastUsedAt: string
}

/** An entry of a customer's history. */
export type AdminCustomerEvent = {
  readonly at: string
  readonly kind: string
  readonly device: string
  readonly network: string
  /** The operator; absent if the person acted. */
  readonly by?: string
  readonly reason?: string
  /** The time from which the customer can see the entry; absent if it was visible from the start. */
  readonly shownAt?: string
}

/**
 * CHECK: a text of the account looks like personal data; UNKNOWN: the account's customer is not in the store.
 */
export type AdminCustomerFinding = {
  readonly account: string
  /** The place of the text: `NAME`, `REMARK` and so on, or `STORE`. */
  readonly place: string
  /** Such as `an email address`. */
  readonly looksLike: string
}

/** A key of a customer's session, accepted by gateways. */
export type AdminCustomerSession = {
  readonly name: string
  readonly account: string
  /** Milliseconds until the session ends even if it is used. */
  readonly endsInMs: number
  /** Milliseconds since the session was last used at this node. */
  readonly unusedMs: number
}

/** An email of a sandbox, which is not sent. */
export type AdminMail = {
  readonly at: string
  readonly kind: string
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** Facts in the journal about an account of a customer. */
export type AdminCustomerMark = {
  readonly account: string
  /** Number of changes to the customer's ways to sign in. */
  readonly epoch: number
  /** The customer's data is erased. */
  readonly forgotten: boolean
  /** The customer has frozen the account, and may not sign in. */
  readonly frozen: boolean
}
