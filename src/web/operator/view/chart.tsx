/** A line of what was measured, from nothing to its greatest value, the newest on the right. */

const WIDTH = 240
const HEIGHT = 48

export function Chart({
  title,
  values,
  text,
}: {
  readonly title: string
  /** Undefined: there was nothing to measure. */
  readonly values: readonly (number | undefined)[]
  readonly text: (value: number | undefined) => string
}) {
  const known = values.filter((value) => value !== undefined)
  const max = Math.max(0, ...known)
  const last = text(values.at(-1))
  return (
    <figure class="chart">
      <figcaption>
        {title} <strong>{last}</strong>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title}: now ${last}, at most ${text(max)}`}
      >
        <polyline points={pointsText(values, max)} />
      </svg>
      <p class="help">at most {text(known.length === 0 ? undefined : max)}</p>
    </figure>
  )
}

/** What was not measured is left out of the line. */
function pointsText(values: readonly (number | undefined)[], max: number): string {
  const step = WIDTH / Math.max(1, values.length - 1)
  return values
    .flatMap((value, index) => {
      if (value === undefined) return []
      const height = max === 0 ? 0 : (value / max) * (HEIGHT - 2)
      return [`${(index * step).toFixed(1)},${(HEIGHT - 1 - height).toFixed(1)}`]
    })
    .join(' ')
}
