/** Types of `ring-map.mjs` for the tests that import it. */
export const RINGS: Readonly<Record<string, { readonly imports: readonly string[] }>>
