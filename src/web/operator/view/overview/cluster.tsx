/**
 * The leader of a cluster, the time since it became the leader, for each engine and historian whether it
 * follows and how far it is behind, and the customers processes.
 */
import type { AdminCluster } from '../../../../contract/admin/records.ts'
import type { Copy, Measured } from '../../state/measured.ts'
import { type Member, membersOf } from '../../state/members.ts'
import { clockText } from '../../state/notation.ts'
import { type Said, say, type Text } from '../../texts/texts.ts'
import { Facts, Panel, State, Table } from '../parts/parts.tsx'

/** An engine that is further behind than this would not take over quickly. */
const BEHIND_MAX = 100_000

export function Cluster({
  cluster,
  found: { replicas, leadsSinceMs, gateways },
}: {
  readonly cluster: AdminCluster
  readonly found: Measured
}) {
  const { name, role, leader, epoch } = cluster
  return (
    <Panel title="Cluster">
      <Facts
        pairs={[
          [
            'Leader',
            leader === null ? (
              <State key="leader" word="no known leader" kind="bad" />
            ) : (
              <State key="leader" word={leader as Said} kind="good" />
            ),
          ],
          ['Since', leadsSinceMs === undefined ? '–' : `${clockText(leadsSinceMs)} UTC`],
          ['Epoch', String(epoch)],
          ['This engine', `${name}, ${role}`],
          ['Connected gateways', gateways === undefined ? '–' : String(gateways)],
        ]}
      />
      <Members members={membersOf(cluster, replicas)} />
    </Panel>
  )
}

function Members({ members }: { readonly members: readonly Member[] }) {
  return (
    <Table
      label="Engines and historians"
      rows={members}
      keyOf={({ name }) => name}
      none="The cluster file lists no members."
      columns={[
        { title: 'Name', cell: ({ name }) => name },
        { title: 'Kind', cell: ({ kind }) => kind.toLowerCase() },
        { title: 'State', cell: ({ state }) => <MemberState state={state} /> },
        {
          title: 'Commands behind',
          isFigure: true,
          cell: ({ behind }) => (behind === undefined ? '–' : <Behind commands={behind} />),
        },
        {
          title: 'Admin server',
          cell: ({ admin, kind }) => admin ?? (kind === 'ENGINE' ? say('see its admin.json') : '–'),
        },
      ]}
    />
  )
}

function MemberState({ state }: { readonly state: Member['state'] }) {
  switch (state) {
    case 'LEADS':
      return <State word="leads" kind="good" />
    case 'FOLLOWS':
      return <State word="follows" kind="good" />
    case 'LACKS':
      return <State word="not connected" kind="warn" />
  }
}

function Behind({ commands }: { readonly commands: number }) {
  return (
    <State word={commands.toLocaleString('en-US') as Said} kind={commands > BEHIND_MAX ? 'warn' : 'good'} />
  )
}

/** Copies of the journal, and how far each is behind. */
export function Copies({
  label,
  copies,
  none,
}: {
  readonly label: Text
  readonly copies: readonly Copy[]
  readonly none: Text
}) {
  return (
    <Table
      label={label}
      rows={copies}
      keyOf={({ name }) => name}
      none={none}
      columns={[
        { title: label, cell: ({ name }) => name },
        { title: 'Commands behind', isFigure: true, cell: ({ behind }) => <Behind commands={behind} /> },
      ]}
    />
  )
}
