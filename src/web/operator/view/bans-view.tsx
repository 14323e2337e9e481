/** Addresses that are kept from the public server. */
import type { PageSession } from '../state/page-session.ts'
import { timeText } from '../state/words.ts'
import { Action } from './parts/action.tsx'
import { useAsked } from './parts/asked.ts'
import { LongTable } from './parts/long-table.tsx'
import { Panel, Shown } from './parts/parts.tsx'

export function BansView({ session }: { readonly session: PageSession }) {
  const bans = useAsked(session, 'ban/list', { limit: 1_000 })
  return (
    <Panel
      title="Banned addresses"
      actions={
        <Action session={session} command="ban add" label="Ban an address" isDangerous onDone={bans.again} />
      }
    >
      <Shown asked={bans}>
        {(rows) => (
          <LongTable
            label="Banned addresses"
            rows={rows}
            keyOf={({ address, by }) => `${address} ${by}`}
            none="Nobody is banned."
            columns={[
              { title: 'Address', cell: ({ address }) => <code>{address}</code> },
              { title: 'Until, UTC', cell: ({ until }) => timeText(until) },
              {
                title: 'By',
                cell: ({ by }) => (by === 'OPERATOR' ? 'an operator' : 'the limits of the node'),
              },
              {
                title: 'Change',
                cell: ({ address }) => (
                  <Action
                    session={session}
                    command="ban lift"
                    label="Lift"
                    fixed={{ address }}
                    onDone={bans.again}
                  />
                ),
              },
            ]}
          />
        )}
      </Shown>
    </Panel>
  )
}
