/** Requests of the admin server to the customers process, over a socket that clients cannot reach. */
import type {
  AdminCustomerEvent,
  AdminCustomerExport,
  AdminCustomerSearch,
  AdminRecoveryRequest,
  AdminTrail,
  AdminTwoPersons,
  CustomerState,
  KnownCustomer,
  KnownCustomerDetails,
} from '../admin/customers.ts'
import type { AdminInvitation } from '../admin/operations/admission.ts'
import type { AdminReason } from '../reasons/catalogue.ts'
import type { HistoryKind } from './sessions.ts'

/** The path of these requests in the process; the name of a request follows. */
export const OPERATORS_PATH = '/operators/'

type Question<Request, Answer> = { readonly request: Request; readonly answer: Answer }
/** Access to personal data: the reason, and the number of days after which the customer sees it. */
type Look = { readonly reason: string; readonly shownInDays?: number | undefined }
type OfAccount = { readonly account: string }
type ByTwo = OfAccount & {
  readonly reason: string
  readonly madeMs: number
  readonly holders: readonly string[]
}

/** Numbers without personal data. */
export type CustomersUse = {
  readonly people: Readonly<Record<CustomerState, number>>
  readonly sessions: number
  /** Number of links that have not been used yet. */
  readonly signUps: number
  /** Number of emails that wait to be sent. */
  readonly mails: number
  /**
   * Numbers at the start of the process: accounts that are in the journal but not in the store, and accounts
   * whose data in the store is outdated.
   */
  readonly missing: number
  readonly old: number
  /** 1 if the trail in the store does not contain the newest head in the journal, else 0. */
  readonly trailDiffers: number
  /** By kind, since the process started. */
  readonly events: Readonly<Record<HistoryKind, number>>
}

export type CustomerQuestions = {
  readonly list: Question<
    {
      readonly state?: CustomerState | undefined
      readonly after?: string | undefined
      readonly limit: number
    },
    readonly KnownCustomer[]
  >
  readonly find: Question<
    Look & { readonly part: string; readonly after?: string | undefined },
    AdminCustomerSearch
  >
  readonly show: Question<Look & OfAccount, KnownCustomerDetails>
  readonly events: Question<
    Look & OfAccount & { readonly limit?: number | undefined },
    readonly AdminCustomerEvent[]
  >
  /** Ends all sessions of an account that an operator has frozen; returns their number. */
  readonly frozen: Question<OfAccount, { readonly ended: number }>
  /**
   * Lifts the customer's own freeze, by two operators. `madeMs`: the time at which the requester's token was
   * created; `holders`: names of the tokens in use that have the right.
   */
  readonly unfreeze: Question<ByTwo, AdminTwoPersons>
  readonly reset: Question<ByTwo, AdminTwoPersons>
  readonly mail: Question<ByTwo & { readonly mail: string }, AdminTwoPersons>
  readonly export: Question<Look & OfAccount, AdminCustomerExport>
  readonly requests: Question<
    { readonly after?: string | undefined; readonly limit: number },
    readonly AdminRecoveryRequest[]
  >
  /** Erases a customer whose erasure is already journaled. */
  readonly erased: Question<OfAccount, { readonly erased: true }>
  readonly approve: Question<OfAccount & { readonly reason: string }, KnownCustomer>
  readonly refuse: Question<OfAccount, { readonly refused: true }>
  readonly invite: Question<
    { readonly uses: number; readonly days: number; readonly mail?: string | undefined },
    { readonly id: string; readonly code: string; readonly endsAt: string }
  >
  readonly invitations: Question<
    { readonly after?: string | undefined; readonly limit: number },
    readonly AdminInvitation[]
  >
  readonly uninvite: Question<{ readonly id: string }, { readonly ended: true }>
  readonly trail: Question<{ readonly number?: number | undefined }, AdminTrail>
  /** Numbers for metrics. */
  readonly use: Question<Readonly<Record<never, never>>, CustomersUse>
  /** Returns the given accounts that belong to no customer. */
  readonly unknown: Question<{ readonly accounts: readonly string[] }, readonly string[]>
}

export type CustomerQuestion = keyof CustomerQuestions
export type QuestionRequest<Name extends CustomerQuestion> = CustomerQuestions[Name]['request']
export type QuestionAnswer<Name extends CustomerQuestion> = CustomerQuestions[Name]['answer']

/** `by`: the operator who makes the request. */
export type CustomerAsked<Name extends CustomerQuestion = CustomerQuestion> = {
  readonly by: string
  readonly request: QuestionRequest<Name>
}

export type CustomerAnswer<Name extends CustomerQuestion = CustomerQuestion> =
  | { readonly ok: true; readonly result: QuestionAnswer<Name> }
  | { readonly ok: false; readonly reason: AdminReason; readonly field?: string; readonly message: string }
