/** Types of program.mjs. */

type Texts = { readonly help: string; readonly short?: string }

export type Option =
  | (Texts & { readonly kind: 'flag' })
  | (Texts & { readonly kind: 'whole' | 'number'; readonly default?: number })
  | (Texts & { readonly kind: 'numbers'; readonly default: readonly number[] })
  | (Texts & { readonly kind: 'text'; readonly default?: string; readonly among?: readonly string[] })

export type Program = {
  /** How it is called, as in `npm run model --`. */
  readonly command: string
  /** What it does, in a sentence or two. */
  readonly about: string
  /** Its arguments, as help shows them; absent: it takes none. */
  readonly words?: string
  readonly options?: Readonly<Record<string, Option>>
}

type ValueOf<O extends Option> = O extends { readonly kind: 'flag' }
  ? boolean
  : O extends { readonly kind: 'numbers' }
    ? readonly number[]
    :
        | (O extends { readonly kind: 'text' } ? string : number)
        | (O extends { readonly default: string | number } ? never : undefined)

export type Values<P extends Program> = {
  readonly [N in keyof P['options']]: P['options'][N] extends Option ? ValueOf<P['options'][N]> : never
}

export type Given<P extends Program> = { readonly values: Values<P>; readonly words: readonly string[] }

export class CommandLineError extends Error {}
export function parseProgram<const P extends Program>(program: P, args: readonly string[]): Given<P>
export function helpOf(program: Program): string
export function readProgram<const P extends Program>(program: P, args?: readonly string[]): Given<P>
export function whenUnread(end: (exitCode: number) => void): void
export function orExit<T>(command: string, read: () => T): T
export function notUnderstood(command: string, message: string): never
