/** What the node warns of beside what it did. */
export function withWarnings(shown: string, warnings: readonly string[]): string {
  return [shown, ...warnings.map((warning) => `Warning: ${warning}`)].join('\n')
}
