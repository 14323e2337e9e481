/** What is to be sent, as a person reads it before; and what it may have to wait for. */
import type { ListKind } from '../draft/list-draft.ts'
import type { OrderFigures } from '../order-phrase.ts'
import type { Trader } from '../trader.ts'
import type { Placement } from './outcomes.ts'
import type { Question } from './questions.ts'

/** What nothing can be sent without. */
export type Wait = 'KEY' | 'LOGIN' | 'MARKET' | 'ACCOUNT' | 'HALTED' | 'OUTCOME' | 'SENDING'

export type Fact = readonly [label: string, value: string]

/** What it is that is sent. */
export type Subject =
  | { readonly kind: 'ORDER'; readonly order: OrderFigures }
  | { readonly kind: 'LIST'; readonly list: ListKind; readonly orders: readonly OrderFigures[] }
  /** `order` takes the place of `before`. */
  | { readonly kind: 'REPLACEMENT'; readonly before: OrderFigures; readonly order: OrderFigures }

/** What is to be sent, as a person is to read it before. */
export type Outgoing = {
  readonly title: string
  /** What the button says that sends it. */
  readonly yes: string
  /** The market that it is sent to. */
  readonly symbol: string
  /** Of a list each order by itself. */
  readonly parts: readonly { readonly title?: string; readonly facts: readonly Fact[] }[]
  /** What has to be asked, by what the page knows at this moment. */
  readonly questions: () => readonly Question[]
  /** Consent was given before: it is asked about only where there is a question. */
  readonly isAgreed?: boolean
  readonly subject: Subject
  readonly send: (trader: Trader) => Promise<Placement>
  readonly onPlaced?: () => void
  readonly onRefused?: (error: unknown) => void
}
