/** Who leads a cluster, since when, and whether its engines and historians follow, and how far each is behind. */
import type { AdminCluster } from '../../../../wire/admin-records.ts'
import type { Copy, Measured } from '../../state/measured.ts'
import { type Member, membersOf } from '../../state/members.ts'
import { clockText } from '../../state/words.ts'
import { Facts, Panel, State, Table } from '../parts/parts.tsx'

/** An engine that lacks more would not take over quickly. */
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
            'Leads',
            leader === null ? (
              <State key="leader" word="nobody that is known" kind="bad" />
            ) : (
              <State key="leader" word={leader} kind="good" />
            ),
          ],
          ['Since', leadsSinceMs === undefined ? '–' : `${clockText(leadsSinceMs)} UTC`],
          ['Epoch', String(epoch)],
          ['This engine', `${name}, ${role}`],
          ['Gateways linked', gateways === undefined ? '–' : String(gateways)],
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
      none="The file of the cluster names none."
      columns={[
        { title: 'Name', cell: ({ name }) => name },
        { title: 'Kind', cell: ({ kind }) => kind.toLowerCase() },
        { title: 'Now', cell: ({ state }) => <MemberState state={state} /> },
        {
          title: 'Commands behind',
          isFigure: true,
          cell: ({ behind }) => (behind === undefined ? '–' : <Behind commands={behind} />),
        },
        {
          title: 'Admin server, on its machine',
          cell: ({ admin, kind }) => admin ?? (kind === 'ENGINE' ? 'see its admin.json' : '–'),
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
      return <State word="does not follow" kind="warn" />
  }
}

function Behind({ commands }: { readonly commands: number }) {
  return <State word={commands.toLocaleString('en-US')} kind={commands > BEHIND_MAX ? 'warn' : 'good'} />
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
        { title: 'Commands behind', isFigure: true, cell: ({ behind }) => <Behind commands={behind} /> },
      ]}
    />
  )
}
