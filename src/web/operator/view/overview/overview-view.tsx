/** Health, load over time, the sums of every asset, storage, and the leader. */
import { useMemo } from 'preact/hooks'
import type { TopView } from '../../../../cli/top/view.ts'
import type { AdminMetrics } from '../../../../contract/admin/records.ts'
import { orderStopText } from '../../../../contract/api/order-stops.ts'
import { versionText } from '../../../../contract/program-version.ts'
import { type Measured, measured } from '../../state/measured.ts'
import { bytesText, spanText, timeText } from '../../state/notation.ts'
import type { PageSession } from '../../state/page-session.ts'
import { troublesOf } from '../../state/troubles.ts'
import { named, type Said, say } from '../../texts/texts.ts'
import { useAsked } from '../parts/asked.ts'
import { Facts, Panel, Shown, State } from '../parts/parts.tsx'
import { Attention } from './attention.tsx'
import { Backups } from './backups.tsx'
import { Cluster, Copies } from './cluster.tsx'
import { CustomersProcesses } from './customers-processes.tsx'
import { Load } from './load.tsx'
import { Sums } from './sums.tsx'

/** Interval of health requests. */
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
                    <State
                      word={say('{seconds} s ahead: new orders are refused', { seconds: aheadMs / 1_000 })}
                      kind="bad"
                    />
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
                [
                  'Phase',
                  <State key="phase" word={phase as Said} kind={phase === 'TRADING' ? 'good' : 'warn'} />,
                ],
                ['Since', since === null ? say('the start') : `${timeText(since)} UTC`],
                [
                  'Planned',
                  planned.map((step) => `${step.phase} ${timeText(step.at)}`).join(', ') || say('nothing'),
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
      <Panel title="Storage">
        {found !== undefined && <Stored found={found} isCluster={cluster !== null} />}
        <Shown asked={metrics}>{({ backups }) => <Backups backups={backups} />}</Shown>
      </Panel>
      {cluster !== null && found !== undefined && <Cluster cluster={cluster} found={found} />}
      {cluster !== null && cluster.customers.length > 0 && (
        <Panel title="Customers processes">
          <CustomersProcesses processes={cluster.customers} />
        </Panel>
      )}
      <Panel title="Load, last hour">
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
        ['Node', <State key="node" word={ready ? 'ready' : (phase as Said)} kind={ready ? 'good' : 'bad'} />],
        ['Uptime', uptime === undefined ? '–' : spanText(uptime)],
        ['Journal', <Journal key="journal" found={journal} />],
        ['Not working', degraded.join(', ') || say('nothing: all components are up')],
        ['Cluster', cluster === null ? say('none, one node') : `${cluster.name}, ${cluster.role}`],
      ]}
    />
  )
}

/** This comes first: a node can be ready and still not accept orders. */
function Taken({ isReady, degraded }: { readonly isReady: boolean; readonly degraded: readonly string[] }) {
  const stops = degraded.flatMap((word) => {
    const text = orderStopText(word)
    return text === undefined ? [] : [named(`stop ${word}`, text)]
  })
  if (!isReady) return <State word="refused: the node is not ready" kind="bad" />
  return stops.length === 0 ? (
    <State word="accepted" kind="good" />
  ) : (
    <State word={say('refused: {why}', { why: stops.join('; ') })} kind="bad" />
  )
}

function Journal({ found }: { readonly found: string }) {
  if (found === 'UNCHECKED') return <span>{say('not checked yet')}</span>
  return <State word={found as Said} kind={found === 'WHOLE' ? 'good' : 'bad'} />
}

function Stored({ found, isCluster }: { readonly found: Measured; readonly isCluster: boolean }) {
  const { storage, node } = found.now
  const age = storage.snapshotAgeSeconds
  return (
    <>
      <Facts
        pairs={[
          ['Journal', isCluster ? say('in the database') : bytesText(storage.journalBytes)],
          ['History', bytesText(storage.historyBytes)],
          ['Snapshots', bytesText(storage.snapshotsBytes)],
          [
            'Newest snapshot',
            age === undefined ? say('none yet') : say('{time} ago', { time: spanText(age) }),
          ],
          ['Free space', bytesText(storage.freeBytes)],
          ['Memory', bytesText(node.residentBytes)],
          ...(found.standbys === undefined && !isCluster
            ? ([['Standbys', say('no standbys')]] as const)
            : []),
        ]}
      />
      {found.standbys !== undefined && (
        <Copies label="Standbys" copies={found.standbys} none="No standby is connected." />
      )}
      <p class="help">{say('A snapshot makes the next start faster. It is not a backup.')}</p>
    </>
  )
}
