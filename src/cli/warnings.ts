/** Appends the node's warnings to the result. */
export function withWarnings(shown: string, warnings: readonly string[]): string {
  return [shown, ...warnings.map((warning) => `Warning: ${warning}`)].join('\n')
}
