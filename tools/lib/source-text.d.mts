/** Types of `source-text.mjs` for the tests that import it. */
export function codeOnly(text: string): string
export function withoutComments(text: string): string
export function lineAt(text: string, position: number): number
