/** The order to be sent, described for the user; and the condition that may block it. */
import type { ListKind } from '../draft/list-draft.ts'
import type { OrderFigures } from '../order-phrase.ts'
import type { Trader } from '../trader.ts'
import type { Placement } from './outcomes.ts'
import type { Question } from './questions.ts'

/** The condition that sending still waits for. */
export type Wait = 'KEY' | 'LOGIN' | 'MARKET' | 'ACCOUNT' | 'HALTED' | 'OUTCOME' | 'SENDING'

export type Fact = readonly [label: string, value: string]

/** The kind of request. */
export type Subject =
  | { readonly kind: 'ORDER'; readonly order: OrderFigures }
  | { readonly kind: 'LIST'; readonly list: ListKind; readonly orders: readonly OrderFigures[] }
  /** `order` replaces `before`. */
  | { readonly kind: 'REPLACEMENT'; readonly before: OrderFigures; readonly order: OrderFigures }

/** The order to be sent, described so that the user can check it beforehand. */
export type Outgoing = {
  readonly title: string
  /** The label of the button that sends the order. */
  readonly yes: string
  /** The market in which the order is placed. */
  readonly symbol: string
  /** For a list, one part for each order. */
  readonly parts: readonly { readonly title?: string; readonly facts: readonly Fact[] }[]
  /** The reasons to ask for confirmation, from the page's current data. */
  readonly questions: () => readonly Question[]
  /** The user has agreed before: confirmation is needed only if there is a question. */
  readonly isAgreed?: boolean
  readonly subject: Subject
  readonly send: (trader: Trader) => Promise<Placement>
  readonly onPlaced?: () => void
  readonly onRefused?: (error: unknown) => void
}
