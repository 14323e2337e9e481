/** Health, load over time, the sums of every asset, what is stored and who leads. */
import { useEffect } from 'preact/hooks'
import type { TopView } from '../../../cli/top/view.ts'
import type { AdminMetrics } from '../../../wire/admin-records.ts'
import type { PageSession } from '../client/page-session.ts'
import { LOOK_EVERY_MS, type LoadPoint, type LoadSeries } from '../state/load-series.ts'
import { bytesText, rateText, spanText, timeText } from '../state/words.ts'
import { useAsked } from './asked.ts'
import { Chart } from './chart.tsx'
import { Facts, Panel, Shown, State } from './parts.tsx'
import { Sums } from './sums.tsx'

export function OverviewView({
  session,
  load,
}: {
  readonly session: PageSession
  readonly load: LoadSeries
}) {
  const metrics = useAsked(session, 'metrics/show', {}, LOOK_EVERY_MS)
  const status = useAsked(session, 'node/status', {})
  const exchange = useAsked(session, 'exchange/show', {})
  const clock = useAsked(session, 'clock/show', {})
  const text = metrics.result?.text
  useLook(load, text)
  const view = load.view
  return (
    <div class="grid">
      <Panel title="Health">
        <Shown asked={metrics}>{(found) => <Health metrics={found} view={view} />}</Shown>
        <Shown asked={clock}>
          {({ trusted, serverTime, aheadMs }) => (
            <Facts
              pairs={[
                ['Server time', `${timeText(serverTime)} UTC`],
                [
                  'Clock',
                  trusted ? (
                    <State word="trusted" kind="good" />
                  ) : (
                    <State word={`ahead by ${aheadMs / 1_000} s: new orders are refused`} kind="bad" />
                  ),
                ],
              ]}
            />
          )}
        </Shown>
      </Panel>
      <Panel title="Exchange">
        <Shown asked={exchange}>
          {({ phase, since, planned }) => (
            <Facts
              pairs={[
                ['Phase', <State key="phase" word={phase} kind={phase === 'TRADING' ? 'good' : 'warn'} />],
                ['Since', since === null ? 'the beginning' : `${timeText(since)} UTC`],
                [
                  'Planned',
                  planned.map((step) => `${step.phase} ${timeText(step.at)}`).join(', ') || 'nothing',
                ],
              ]}
            />
          )}
        </Shown>
        <Shown asked={status}>
          {(found) => (
            <Facts
              pairs={[
                ['Version', found.version],
                ['Rules', String(found.rules)],
                ['Commands', found.seq.toLocaleString('en-US')],
                ['Assets, symbols', `${found.assets}, ${found.symbols}`],
                ['Accounts, API keys', `${found.accounts}, ${found.apiKeys}`],
              ]}
            />
          )}
        </Shown>
      </Panel>
      <Panel title="Stored">{view !== undefined && <Stored view={view} />}</Panel>
      <Panel title="Load while this page is open">
        <Load points={load.points} />
      </Panel>
      <Sums session={session} view={view} />
    </div>
  )
}

/** One look for each answer, in the order in which they come. */
function useLook(load: LoadSeries, text: string | undefined): void {
  useEffect(() => {
    if (text !== undefined) load.look(text, Date.now())
  }, [load, text])
}

function Health({ metrics, view }: { readonly metrics: AdminMetrics; readonly view: TopView | undefined }) {
  const { ready, phase, journal, degraded, cluster } = metrics
  const uptime = view?.node.uptimeSeconds
  return (
    <Facts
      pairs={[
        ['Node', <State key="node" word={ready ? 'ready' : phase} kind={ready ? 'good' : 'bad'} />],
        ['Up for', uptime === undefined ? '–' : spanText(uptime)],
        ['Journal', <Journal key="journal" found={journal} />],
        ['Lacks', degraded.join(', ') || 'nothing'],
        ['Cluster', cluster === null ? 'none: one node' : `${cluster.role}, epoch ${cluster.epoch}`],
        ...(cluster === null ? [] : ([['Leads', cluster.leader ?? 'nobody that is known']] as const)),
      ]}
    />
  )
}

function Journal({ found }: { readonly found: string }) {
  if (found === 'UNCHECKED') return <span>not checked yet</span>
  return <State word={found} kind={found === 'WHOLE' ? 'good' : 'bad'} />
}

function Stored({ view: { storage, node } }: { readonly view: TopView }) {
  const age = storage.snapshotAgeSeconds
  return (
    <>
      <Facts
        pairs={[
          ['Journal', bytesText(storage.journalBytes)],
          ['History', bytesText(storage.historyBytes)],
          ['Snapshots', bytesText(storage.snapshotsBytes)],
          ['Newest snapshot', age === undefined ? 'none yet' : `${spanText(age)} ago`],
          ['Room left', bytesText(storage.freeBytes)],
          ['Memory', bytesText(node.residentBytes)],
        ]}
      />
      <p class="help">
        A snapshot makes a start quick and is no backup. Of backups in other places the node knows nothing:
        their age is that of the newest directory of <code>bourse backup</code>.
      </p>
    </>
  )
}

function Load({ points }: { readonly points: readonly LoadPoint[] }) {
  const series = [
    ['Commands a second', (point: LoadPoint) => point.commandsPerSecond, rateText],
    ['Requests a second', (point: LoadPoint) => point.requestsPerSecond, rateText],
    ['Trades a second', (point: LoadPoint) => point.tradesPerSecond, rateText],
    ['Commit, 99 % within', (point: LoadPoint) => point.commitP99Ms, millisecondsText],
    ['Processor', (point: LoadPoint) => point.cpu * 100, percentText],
  ] as const
  return (
    <div class="charts">
      {series.map(([title, figure, text]) => (
        <Chart key={title} title={title} values={points.map(figure)} text={text} />
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
