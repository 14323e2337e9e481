/** Names that the caller may have meant. */

/** Returns `; did you mean alice?` if a known name is close, in any letter case; otherwise an empty text. */
export function meant(name: string, known: readonly string[]): string {
  const byLowerCase = new Map(known.map((each) => [each.toLowerCase(), each]))
  const near = nearest(name.toLowerCase(), [...byLowerCase.keys()])
  return near === undefined ? '' : `; did you mean ${byLowerCase.get(near)}?`
}

/** The closest candidate at most two edits away; undefined if there is none. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  let best: { candidate: string; distance: number } | undefined
  for (const candidate of candidates) {
    const distance = editDistance(word, candidate)
    if (distance <= 2 && distance < candidate.length && distance < (best?.distance ?? 3)) {
      best = { candidate, distance }
    }
  }
  return best?.candidate
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const substituted = (previous[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1)
      row.push(Math.min(substituted, (previous[j] as number) + 1, (row[j - 1] as number) + 1))
    }
    previous = row
  }
  return previous[b.length] as number
}
