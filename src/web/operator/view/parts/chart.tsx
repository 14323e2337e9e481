/** A line of what was measured, from nothing to its greatest value, by time, the newest on the right. */
import { chartLines, hasGap, type Point } from '../../state/chart-lines.ts'
import { clockText } from '../../state/words.ts'

const BOX = { width: 240, height: 48 }

export function Chart({
  title,
  points,
  text,
}: {
  readonly title: string
  readonly points: readonly Point[]
  readonly text: (value: number | undefined) => string
}) {
  const known = points.flatMap(({ value }) => value ?? [])
  const max = Math.max(0, ...known)
  const last = text(points.at(-1)?.value)
  const begin = points[0]?.atMs
  // The node keeps an hour, in memory: after a start it is less.
  const since = begin === undefined ? '' : ` since ${clockText(begin).slice(11, 16)} UTC`
  const most = `at most ${text(known.length === 0 ? undefined : max)}${since}`
  const broken = hasGap(points) ? '; broken where the node stood still' : ''
  return (
    <figure class="chart">
      <figcaption>
        {title} <strong>{last}</strong>
      </figcaption>
      <svg
        viewBox={`0 0 ${BOX.width} ${BOX.height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title}: now ${last}, ${most}${broken}`}
      >
        {chartLines(points, max, BOX).map((line) => (
          <polyline key={line} points={line} />
        ))}
      </svg>
      <p class="help">{most}</p>
    </figure>
  )
}
