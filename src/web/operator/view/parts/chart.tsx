/** A line of measured values over time, from zero to the largest value, with the newest on the right. */
import { chartLines, hasGap, type Point } from '../../state/chart-lines.ts'
import { clockText } from '../../state/notation.ts'
import { say, shown, type Text } from '../../texts/texts.ts'

const BOX = { width: 240, height: 48 }

export function Chart({
  title,
  points,
  text,
}: {
  readonly title: Text
  readonly points: readonly Point[]
  readonly text: (value: number | undefined) => string
}) {
  const known = points.flatMap(({ value }) => value ?? [])
  const max = Math.max(0, ...known)
  const last = text(points.at(-1)?.value)
  const begin = points[0]?.atMs
  // The node keeps an hour, in memory: after a start it has less.
  const peak = text(known.length === 0 ? undefined : max)
  const most =
    begin === undefined
      ? say('peak {peak}', { peak })
      : say('peak {peak} since {time} UTC', { peak, time: clockText(begin).slice(11, 16) })
  const broken = hasGap(points) ? say('; gaps where the node was not running') : ''
  return (
    <figure class="chart">
      <figcaption>
        {shown(title)} <strong>{last}</strong>
      </figcaption>
      <svg
        viewBox={`0 0 ${BOX.width} ${BOX.height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={say('{title}: now {last}, {most}', { title: shown(title), last, most }) + broken}
      >
        {chartLines(points, max, BOX).map((line) => (
          <polyline key={line} points={line} />
        ))}
      </svg>
      <p class="help">{most}</p>
    </figure>
  )
}
