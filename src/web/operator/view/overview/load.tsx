/** The load of the node over the last hour, or since it started. */
import { type LoadRate, loadRates } from '../../../../cli/admin/load-rates.ts'
import type { AdminLoad } from '../../../../contract/admin/records.ts'
import { rateText } from '../../state/notation.ts'
import type { Text } from '../../texts/texts.ts'
import { Chart } from '../parts/chart.tsx'

type Series = readonly [
  title: Text,
  figure: (rate: LoadRate) => number | undefined,
  text: (value: number | undefined) => string,
]

const COMMANDS: Series = ['Commands per second', (rate) => rate.commandsPerSecond, rateText]
const REQUESTS: Series = ['Requests per second', (rate) => rate.requestsPerSecond, rateText]
const OTHERS: readonly Series[] = [
  ['Trades per second', (rate) => rate.tradesPerSecond, rateText],
  ['Average commit time', (rate) => rate.commitMs, millisecondsText],
  ['CPU', (rate) => rate.cpu * 100, percentText],
]

export function Load({
  looks,
  isCluster,
}: {
  readonly looks: readonly AdminLoad[]
  /** Clients are connected to gateways, which count their requests themselves. */
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
