/** The size of texts on a canvas: in proportion to the page's font size, which the user may have changed. */

/** The default font size of browsers. */
const USUAL_ROOT = 16

/** Converts pixels at the default font size to pixels at the user's font size. */
export function atReadersSize(points: number): number {
  const root = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  return Math.round((points * root) / USUAL_ROOT)
}
