/**
 * What the catalogue says about one reason, and the small functions that write its entries.
 */
import type { Localised } from '../language.ts'

/** The codes that the interface documents (7.2): validation, unreadable body, unavailable. */
export type ErrorCode = '4001' | '4004' | '0014'

export type ReasonEntry = {
  readonly code: ErrorCode
  /** HTTP status of the answer. */
  readonly status: number
  /** Text for people; `{name}` stands for the argument of that name. */
  readonly en: string
  readonly tr: string
  /** One sentence for the reference: when it happens and what a client should do. */
  readonly docs: string
}

/** An argument of a text: the same in every language, or one per language. */
export type TextArgument = string | number | Localised

/** The names between braces in a text. */
export type ArgumentNames<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ArgumentNames<Rest>
  : never

type Texts<En extends string> = { readonly en: En; readonly tr: string; readonly docs: string }

/** A request that the rules refuse: `4001`, HTTP 400 unless said otherwise. */
export function invalid<const En extends string>(texts: Texts<En>, status = 400) {
  return { code: '4001', status, ...texts } as const
}

/** A body that cannot be read: `4004`, HTTP 400 unless said otherwise. */
export function unreadable<const En extends string>(texts: Texts<En>, status = 400) {
  return { code: '4004', status, ...texts } as const
}

/** Something that the service cannot do now: `0014`, HTTP 503 unless said otherwise. */
export function unavailable<const En extends string>(texts: Texts<En>, status = 503) {
  return { code: '0014', status, ...texts } as const
}
