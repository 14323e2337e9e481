/** How busy the node was in the last hour, as far as it has run and looked. */
import { type LoadRate, loadRates } from '../../../../cli/admin/load-rates.ts'
import type { AdminLoad } from '../../../../wire/admin-records.ts'
import { rateText } from '../../state/words.ts'
import { Chart } from '../parts/chart.tsx'

type Series = readonly [
  title: string,
  figure: (rate: LoadRate) => number | undefined,
  text: (value: number | undefined) => string,
]

const COMMANDS: Series = ['Commands a second', (rate) => rate.commandsPerSecond, rateText]
const REQUESTS: Series = ['Requests a second', (rate) => rate.requestsPerSecond, rateText]
const OTHERS: readonly Series[] = [
  ['Trades a second', (rate) => rate.tradesPerSecond, rateText],
  ['A commit on average', (rate) => rate.commitMs, millisecondsText],
  ['Processor', (rate) => rate.cpu * 100, percentText],
]

export function Load({
  looks,
  isCluster,
}: {
  readonly looks: readonly AdminLoad[]
  /** Clients are those of gateways, which count their requests themselves. */
  readonly isCluster: boolean
}) {
  const rates = loadRates(looks)
  const series = isCluster ? [COMMANDS, ...OTHERS] : [COMMANDS, REQUESTS, ...OTHERS]
  return (
    <div class="charts">
      {series.map(([title, figure, text]) => (
        <Chart
          key={title}
          title={title}
          points={rates.map((rate) => ({ atMs: rate.atMs, value: figure(rate) }))}
          text={text}
        />
      ))}
    </div>
  )
}

function millisecondsText(value: number | undefined): string {
  return value === undefined ? '–' : `${rateText(value)} ms`
}

function percentText(value: number | undefined): string {
  return value === undefined ? '–' : `${Math.round(value)} %`
}
