/** Health, load over time, the sums of every asset, what is stored and who leads. */
import { useMemo } from 'preact/hooks'
import type { TopView } from '../../../../cli/top/view.ts'
import type { AdminMetrics } from '../../../../wire/admin-records.ts'
import { orderStopText } from '../../../../wire/order-stops.ts'
import { versionText } from '../../../../wire/program-version.ts'
import { type Measured, measured } from '../../state/measured.ts'
import type { PageSession } from '../../state/page-session.ts'
import { troublesOf } from '../../state/troubles.ts'
import { bytesText, spanText, timeText } from '../../state/words.ts'
import { useAsked } from '../parts/asked.ts'
import { Facts, Panel, Shown, State } from '../parts/parts.tsx'
import { Attention } from './attention.tsx'
import { Backups } from './backups.tsx'
import { Cluster, Copies } from './cluster.tsx'
import { Load } from './load.tsx'
import { Sums } from './sums.tsx'

/** How often health is asked for. */
const HEALTH_EVERY_MS = 5_000

export function OverviewView({ session }: { readonly session: PageSession }) {
  const metrics = useAsked(session, 'metrics/show', {}, HEALTH_EVERY_MS)
  const load = useAsked(session, 'load/show', {})
  const status = useAsked(session, 'node/status', {})
  const exchange = useAsked(session, 'exchange/show', {})
  const clock = useAsked(session, 'clock/show', {})
  const text = metrics.result?.text
  const found = useMemo(() => (text === undefined ? undefined : measured(text, Date.now())), [text])
  const view = found?.now
  const { result: known } = status
  const version = known === undefined ? undefined : versionText({ number: known.version, ...known })
  const cluster = metrics.result?.cluster ?? null
  return (
    <div class="grid">
      <Panel title="Needs attention">
        <Shown asked={metrics}>
          {(health) =>
            found !== undefined && <Attention troubles={troublesOf(health, found.scrape)} version={version} />
          }
        </Shown>
      </Panel>
      <Panel title="Health">
        <Shown asked={metrics}>{(health) => <Health metrics={health} view={view} />}</Shown>
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
                ['Version', version ?? found.version],
                ['Rules', String(found.rules)],
                ['Commands', found.seq.toLocaleString('en-US')],
                ['Assets, symbols', `${found.assets}, ${found.symbols}`],
                ['Accounts, API keys', `${found.accounts}, ${found.apiKeys}`],
              ]}
            />
          )}
        </Shown>
      </Panel>
      <Panel title="Stored">
        {found !== undefined && <Stored found={found} isCluster={cluster !== null} />}
        <Shown asked={metrics}>{({ backups }) => <Backups backups={backups} />}</Shown>
      </Panel>
      {cluster !== null && found !== undefined && <Cluster cluster={cluster} found={found} />}
      <Panel title="Load of the last hour">
        <Shown asked={load}>{(looks) => <Load looks={looks} isCluster={cluster !== null} />}</Shown>
      </Panel>
      <Sums session={session} view={view} />
    </div>
  )
}

function Health({ metrics, view }: { readonly metrics: AdminMetrics; readonly view: TopView | undefined }) {
  const { ready, phase, journal, degraded, cluster } = metrics
  const uptime = view?.node.uptimeSeconds
  return (
    <Facts
      pairs={[
        ['Orders', <Taken key="orders" isReady={ready} degraded={degraded} />],
        ['Node', <State key="node" word={ready ? 'ready' : phase} kind={ready ? 'good' : 'bad'} />],
        ['Up for', uptime === undefined ? '–' : spanText(uptime)],
        ['Journal', <Journal key="journal" found={journal} />],
        ['Lacks', degraded.join(', ') || 'nothing'],
        ['Cluster', cluster === null ? 'none: one node' : `${cluster.name}, ${cluster.role}`],
      ]}
    />
  )
}

/** Before all else: a node can be ready and take no order. */
function Taken({ isReady, degraded }: { readonly isReady: boolean; readonly degraded: readonly string[] }) {
  const stops = degraded.flatMap((word) => orderStopText(word) ?? [])
  if (!isReady) return <State word="none are taken: the node is not ready" kind="bad" />
  return stops.length === 0 ? (
    <State word="taken" kind="good" />
  ) : (
    <State word={`none are taken: ${stops.join('; ')}`} kind="bad" />
  )
}

function Journal({ found }: { readonly found: string }) {
  if (found === 'UNCHECKED') return <span>not checked yet</span>
  return <State word={found} kind={found === 'WHOLE' ? 'good' : 'bad'} />
}

function Stored({ found, isCluster }: { readonly found: Measured; readonly isCluster: boolean }) {
  const { storage, node } = found.now
  const age = storage.snapshotAgeSeconds
  return (
    <>
      <Facts
        pairs={[
          ['Journal', isCluster ? 'in the database' : bytesText(storage.journalBytes)],
          ['History', bytesText(storage.historyBytes)],
          ['Snapshots', bytesText(storage.snapshotsBytes)],
          ['Newest snapshot', age === undefined ? 'none yet' : `${spanText(age)} ago`],
          ['Room left', bytesText(storage.freeBytes)],
          ['Memory', bytesText(node.residentBytes)],
          ...(found.standbys === undefined && !isCluster
            ? ([['Standbys', 'none: it gives its journal to nobody']] as const)
            : []),
        ]}
      />
      {found.standbys !== undefined && (
        <Copies label="Standbys" copies={found.standbys} none="No standby follows." />
      )}
      <p class="help">A snapshot makes a start quick and is no backup.</p>
    </>
  )
}
