/** How large texts are that a canvas draws: as large beside those of the page as at the usual size of letters, which a reader may have changed. */

/** Of a browser in which nobody has chosen another. */
const USUAL_ROOT = 16

/** So many points at the usual size are how many at the reader's. */
export function atReadersSize(points: number): number {
  const root = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  return Math.round((points * root) / USUAL_ROOT)
}
