/** Who leads a cluster, since when, and how far whoever would take over is behind. */
import type { AdminMetrics } from '../../../wire/admin-records.ts'
import type { Copy, Measured } from '../state/measured.ts'
import { spanText } from '../state/words.ts'
import { Facts, Panel, State, Table } from './parts.tsx'

/** An engine that lacks more would not take over quickly. */
const BEHIND_MAX = 100_000

export function Cluster({
  cluster: { role, leader, epoch },
  found: { replicas, leadsSeconds, gateways },
}: {
  readonly cluster: NonNullable<AdminMetrics['cluster']>
  readonly found: Measured
}) {
  return (
    <Panel title="Cluster">
      <Facts
        pairs={[
          [
            'Leads',
            leader === null ? (
              <State word="nobody that is known" kind="bad" />
            ) : (
              <State word={leader} kind="good" />
            ),
          ],
          ['This engine', role],
          ['Epoch', String(epoch)],
          ['Has led for', leadsSeconds === undefined ? '–' : spanText(leadsSeconds)],
          ['Gateways linked', gateways === undefined ? '–' : String(gateways)],
        ]}
      />
      <Copies label="Engines and historians that follow" copies={replicas} none="None follows the leader." />
    </Panel>
  )
}

/** Copies of the journal, and how far each is behind. */
export function Copies({
  label,
  copies,
  none,
}: {
  readonly label: string
  readonly copies: readonly Copy[]
  readonly none: string
}) {
  return (
    <Table
      label={label}
      rows={copies}
      keyOf={({ name }) => name}
      none={none}
      columns={[
        { title: label, cell: ({ name }) => name },
        {
          title: 'Commands behind',
          isFigure: true,
          cell: ({ behind }) => (
            <State word={behind.toLocaleString('en-US')} kind={behind > BEHIND_MAX ? 'warn' : 'good'} />
          ),
        },
      ]}
    />
  )
}
