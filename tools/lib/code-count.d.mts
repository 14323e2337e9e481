/** Types of `code-count.mjs` for the tests that import it. */
export type FileKind = 'production' | 'generated' | 'test' | 'document' | 'other'
export type FileCount = {
  readonly lines: number
  readonly code: number
  readonly characters: number
  readonly casts: Readonly<Record<string, number>>
}
export function kindOfFile(file: string): FileKind
export function isProductionCode(file: string): boolean
export function countFile(text: string): FileCount
export function names(text: string, word: string): boolean
export function byFolder(
  counts: readonly { readonly file: string; readonly code: number; readonly characters: number }[],
  depth: number,
): { readonly folder: string; readonly files: number; readonly code: number; readonly characters: number }[]
