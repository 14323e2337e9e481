/** What is to be sent, as a person reads it before; and what it may have to wait for. */
import type { Placement } from './outcomes.ts'
import type { Question } from './questions.ts'
import type { Trader } from './trader.ts'

/** What nothing can be sent without. */
export type Wait = 'KEY' | 'LOGIN' | 'MARKET' | 'ACCOUNT' | 'HALTED' | 'OUTCOME' | 'SENDING'

export type Fact = readonly [label: string, value: string]

/** What is to be sent, as a person is to read it before. */
export type Outgoing = {
  readonly title: string
  /** Of a list each order by itself. */
  readonly parts: readonly { readonly title?: string; readonly facts: readonly Fact[] }[]
  readonly questions: readonly Question[]
  /** Consent was given before: it is asked about only where there is a question. */
  readonly isAgreed?: boolean
  /** What is said of it once it is placed; of an order unless said otherwise. */
  readonly placedText?: (id: string) => string
  readonly send: (trader: Trader) => Promise<Placement>
  readonly onPlaced?: () => void
  readonly onRefused?: (error: unknown) => void
}
