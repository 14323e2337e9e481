/** Types of `test-parts.mjs` for the test that imports it. */
export type TestPart = {
  readonly name: string
  readonly isFast: boolean
  readonly computes?: boolean
  readonly files: readonly string[]
  readonly needs?: () => { readonly reason?: string }
}
export function testFiles(): string[]
export function testParts(): TestPart[]
